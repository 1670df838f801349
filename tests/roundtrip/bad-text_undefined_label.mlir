// RUN: verify --expect "^bb7"
// EXIT: 3
func.func @f() {
  "cf.br"()[^bb7] : () -> ()
^bb1:
  return
}
