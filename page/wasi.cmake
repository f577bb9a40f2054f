# Toolchain: WebAssembly with Debian's clang, lld and wasi-libc.
#
# Debian keeps wasi-libc below /usr; a sysroot with nothing else in it keeps the headers of the
# machine that compiles out.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER_WORKS 1) # a test program would lack the parts of a module
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

foreach(major 14 15 16 17 18 19)
  list(APPEND clangs clang-${major})
endforeach()
find_program(GLIMPSE_WASM_CC NAMES ${clangs} clang REQUIRED)
set(CMAKE_C_COMPILER "${GLIMPSE_WASM_CC}")
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)

set(root "${CMAKE_BINARY_DIR}/sysroot")
if(NOT EXISTS "${root}/include/wasm32-wasi")
  file(MAKE_DIRECTORY "${root}/include" "${root}/lib")
  file(CREATE_LINK /usr/include/wasm32-wasi "${root}/include/wasm32-wasi" SYMBOLIC)
  file(CREATE_LINK /usr/lib/wasm32-wasi "${root}/lib/wasm32-wasi" SYMBOLIC)
endif()
set(CMAKE_SYSROOT "${root}")
