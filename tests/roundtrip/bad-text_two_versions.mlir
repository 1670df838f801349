// RUN: verify --expect "conflicting versions"
// EXIT: 3
module attributes {stablehlo.compat_version = 60 : i64} {
  func.func @f() attributes {stablehlo.compat_version = 61 : i64} {
    return
  }
}
