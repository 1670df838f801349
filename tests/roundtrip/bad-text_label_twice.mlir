// RUN: verify --expect "already defined"
// EXIT: 3
func.func @f() {
  "cf.br"()[^bb1] : () -> ()
^bb1:
  return
^bb1:
  return
}
