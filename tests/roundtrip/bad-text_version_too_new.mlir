// RUN: verify --expect "version 99 is newer"
// EXIT: 3
module attributes {stablehlo.compat_version = 99 : i64} {
}
