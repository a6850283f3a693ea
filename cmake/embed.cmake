# embed.cmake: `cmake -DFOLDER=scenes -DOUTPUT=scenes.c -P embed.cmake` writes the scenes of a folder as bytes into a C
# file, so that an installed program needs no files beside it. Bytes, because C limits the length of string literals.

file(GLOB names RELATIVE ${FOLDER} ${FOLDER}/*.yaml)
list(TRANSFORM names REPLACE "\\.yaml$" "")
list(SORT names COMPARE NATURAL)
set(arrays)
set(rows)
foreach(name ${names})
    string(MAKE_C_IDENTIFIER ${name} id)
    file(READ ${FOLDER}/${name}.yaml bytes HEX)
    string(LENGTH "${bytes}" size)
    math(EXPR size "${size} / 2")
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REPEAT "0x..," 20 line)
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
    string(APPEND arrays "static const unsigned char scene_${id}[] = {\n${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", scene_${id}, ${size}},\n")
endforeach()
file(WRITE ${OUTPUT}.new "// Made from scenes/ by cmake/embed.cmake.\n#include \"scene/named.h\"\n\n${arrays}\n"
     "const plait_named_scene plait_named_scenes[] = {\n${rows}    {0, 0, 0},\n};\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
