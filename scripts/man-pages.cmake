# Writes the man pages that the program prints.
#
#   cmake -DPROGRAM=<glimpse> -DDIRECTORY=<where to> -P man-pages.cmake
#
# A page that the program cannot print is left out with a warning.

file(REMOVE_RECURSE "${DIRECTORY}")
file(MAKE_DIRECTORY "${DIRECTORY}")

function(write_page file)
  execute_process(COMMAND "${PROGRAM}" help --man ${ARGN}
    OUTPUT_FILE "${DIRECTORY}/${file}" ERROR_QUIET RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(WARNING "glimpse help --man ${ARGN}: failed (${result}), ${file} is not written")
    file(REMOVE "${DIRECTORY}/${file}")
  endif()
endfunction()

execute_process(COMMAND "${PROGRAM}" help --list
  OUTPUT_VARIABLE commands ERROR_QUIET RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(WARNING "glimpse help --list: failed (${result}), no man pages are written")
  return()
endif()

write_page(glimpse.1)
string(STRIP "${commands}" commands)
string(REPLACE "\n" ";" commands "${commands}")
foreach(command IN LISTS commands)
  write_page("glimpse-${command}.1" "${command}")
endforeach()
