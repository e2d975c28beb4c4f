# WARD_UNITY: files of a target are compiled in groups, as scripts/unity.py puts them together. Off in the dev preset, which so proves that
# each file includes what it needs. The groups are made by each configure: where two files of one have come to clash, configure again.
option(WARD_UNITY "Compile a target's files in groups" OFF)
if(WARD_UNITY)
  add_compile_options("SHELL:-iquote ${CMAKE_SOURCE_DIR}")  # where the texts of the groups look for the files
  list(APPEND WARD_WARNINGS -Wno-shadow)  # what shadows a name of another file shadows nothing; the dev preset tells of the others
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND WARD_WARNINGS -Wno-subobject-linkage)  # it takes each file of a group for a header
  endif()
endif()

# ward_sources(target files...): the target is made from the files, in groups where that is asked for.
function(ward_sources target)
  if(WARD_UNITY)
    foreach(file ${ARGN})
      get_filename_component(file ${file} ABSOLUTE)
      set_property(GLOBAL APPEND_STRING PROPERTY WARD_UNITY_FILES "${target} ${file}\n")
    endforeach()
  else()
    target_sources(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# ward_sources_end(): after the last ward_sources().
function(ward_sources_end)
  if(WARD_UNITY)
    find_package(Python3 COMPONENTS Interpreter REQUIRED)
    set(folder ${CMAKE_BINARY_DIR}/unity)
    get_property(files GLOBAL PROPERTY WARD_UNITY_FILES)
    file(WRITE ${folder}/files.txt "${files}")
    execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/unity.py ${folder} COMMAND_ERROR_IS_FATAL ANY)
    include(${folder}/groups.cmake)
  endif()
endfunction()
