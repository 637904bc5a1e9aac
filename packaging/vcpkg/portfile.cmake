# SPDX-License-Identifier: Apache-2.0
# The port for vcpkg, as an overlay: vcpkg install terrane --overlay-ports=packaging
# It builds the sources that it lies in.
cmake_path(SET SOURCE_PATH NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
vcpkg_cmake_configure(SOURCE_PATH ${SOURCE_PATH} OPTIONS
  -DTERRANE_TESTS=OFF -DTERRANE_COMPILER=OFF -DTERRANE_PROGRAMS=OFF -DTERRANE_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/terrane)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
