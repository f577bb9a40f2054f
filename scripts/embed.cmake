# Writes the files FILES (a list) into OUTPUT as the table of experiment/builtin.h.
#
#   cmake -DFILES=... -DOUTPUT=... -P scripts/embed.cmake
#
# Bytes rather than string literals, whose length the standard limits.

set(text "/* Made by scripts/embed.cmake. */\n#include \"experiment/builtin.h\"\n\n")
string(APPEND text "extern const struct builtin builtin_table[];\nextern const size_t builtin_count;\n\n")
set(table "")
set(count 0)
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" bytes HEX)
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const char text_${count}[] = {${bytes}0};\n")
  string(APPEND table "  {\"${name}\", text_${count}, ${length}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "\nconst struct builtin builtin_table[] = {\n${table}};\nconst size_t builtin_count = ${count};\n")
file(WRITE "${OUTPUT}" "${text}")
