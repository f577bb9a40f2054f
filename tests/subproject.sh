#!/usr/bin/env bash
# Builds a project of CMake that takes in the sources of glimpse with FetchContent, as it would with add_subdirectory,
# and runs its programs: examples/plan.c with the static library and, where there is a C++ compiler, examples/plan.cpp
# with the shared one. The project sees the libraries and nothing else: no target, test, installed file or setting more.
#
#   tests/subproject.sh [BUILD-DIRECTORY]      by default build/release

set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(cd "${1:-$root/build/release}" && pwd)/subproject-test
fail() { echo "subproject: $*"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# The names of targets that are likely to be there already.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(robot LANGUAGES C)
include(CheckLanguage)
include(FetchContent)
foreach(name product man docs completion benches test_flags)
  add_custom_target(${name})
endforeach()
enable_testing()
FetchContent_Declare(glimpse SOURCE_DIR "${GLIMPSE_SOURCES}")
FetchContent_MakeAvailable(glimpse)
if(CMAKE_BUILD_TYPE OR CMAKE_C_VISIBILITY_PRESET)
  message(FATAL_ERROR "glimpse changes the settings of the project around it")
endif()
add_executable(robot "${GLIMPSE_SOURCES}/examples/plan.c")
target_link_libraries(robot PRIVATE glimpse::static)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  add_executable(robot-cpp "${GLIMPSE_SOURCES}/examples/plan.cpp")
  target_compile_features(robot-cpp PRIVATE cxx_std_20)
  target_compile_options(robot-cpp PRIVATE -Wall -Wextra -Wpedantic -Werror)
  target_link_libraries(robot-cpp PRIVATE glimpse::glimpse)
endif()
add_test(NAME robot COMMAND robot)
install(TARGETS robot)
END
if ! { cmake -G Ninja -S . -B build -DGLIMPSE_SOURCES="$root" -DCMAKE_BUILD_TYPE= && cmake --build build; } >log 2>&1; then
  cat log
  exit 1
fi
cmake --install build --prefix "$work/installed" >/dev/null
[[ $(find installed -type f) == installed/bin/robot ]] || fail "it installs more: $(find installed -type f)"
[[ $(ctest --test-dir build -N) == *"Total Tests: 1" ]] || fail "it has more tests"

build/robot >plan.txt
[[ $(<plan.txt) == *"asks, is told "*"does up, sees arrived"* ]] || fail "plan.c prints: $(<plan.txt)"
if [[ -x build/robot-cpp ]]; then
  build/robot-cpp | cmp - plan.txt || fail "plan.cpp prints something else than plan.c"
  ! build/robot-cpp nowhere.pomdp 2>errors || fail "plan.cpp reads a file that is not there"
  [[ $(<errors) == "plan: the file cannot be read" ]] || fail "plan.cpp complains: $(<errors)"
  echo "subproject: plan.c and plan.cpp print the same $(wc -l <plan.txt) steps"
else
  echo "subproject: plan.c prints $(wc -l <plan.txt) steps; there is no C++ compiler (Debian: g++) for plan.cpp"
fi
