# SPDX-License-Identifier: Apache-2.0
# Says which headers are public and which they need, from their includes alone.
#
# Public    What a program may include: the roots below and what these include themselves.
# Internal  What public headers need beyond that. It is installed under terrane/internal/, with the
#           includes written accordingly; in this tree it lies beside its sources.
set(terrane_header_roots terrane.h threaded_c.h terrane.hpp threads.hpp chant.hpp
    thread/bundle_policies.hpp algorithms.hpp coroutines.hpp io.hpp runtime.hpp mpi.h mpi.hpp
    c/terrane_chant.h c/mpi/mpi.h c/mpi/calls.h balance/plugin.hpp core/balancer.hpp
    balance/rope/plugin.hpp core/rope_balancer.hpp)

# The headers that one includes, relative to terrane/.
function(terrane_included_by source header result)
  file(STRINGS ${source}/terrane/${header} lines REGEX "^ *#include \"terrane/[^\"]+\"")
  list(TRANSFORM lines REPLACE "^ *#include \"terrane/([^\"]+)\".*" "\\1")
  set(${result} ${lines} PARENT_SCOPE)
endfunction()

# source: the root of the tree. Sets the variables that are named.
function(terrane_find_headers source public internal)
  set(found_public ${terrane_header_roots})
  foreach(root IN LISTS terrane_header_roots)
    terrane_included_by(${source} ${root} included)
    list(APPEND found_public ${included})
  endforeach()
  list(REMOVE_DUPLICATES found_public)
  set(found_internal "")
  set(queue ${found_public})
  while(queue)
    list(POP_FRONT queue next)
    terrane_included_by(${source} ${next} included)
    foreach(each IN LISTS included)
      # The parts of the C ABI are public, whoever includes them.
      if(each MATCHES "^c/" AND NOT each IN_LIST found_public)
        list(APPEND found_public ${each})
        list(APPEND queue ${each})
      elseif(NOT each IN_LIST found_public AND NOT each IN_LIST found_internal)
        list(APPEND found_internal ${each})
        list(APPEND queue ${each})
      endif()
    endforeach()
  endwhile()
  list(SORT found_public)
  list(SORT found_internal)
  set(${public} ${found_public} PARENT_SCOPE)
  set(${internal} ${found_internal} PARENT_SCOPE)
endfunction()
