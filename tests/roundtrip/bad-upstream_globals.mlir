// RUN: verify --expect "7:1: error: 'ml_program.global' op immutable global must have an initial value" --expect "9:8: error: 'ml_program.global_load' op undefined global: @main" --expect "10:8: error: 'ml_program.global_load' op cannot load from global typed 'f32' as 'i32'" --expect "11:8: error: 'ml_program.global_load_const' op cannot load as const from mutable global @state" --expect "12:3: error: 'ml_program.global_store' op cannot store to an immutable global @zero" --expect "13:3: error: 'ml_program.global_store' op cannot store to a global typed 'f32' from 'i32'" --expect "14:8: error: 'ml_program.global_store_graph' op operand #1 must be variadic of Token for establishing execution ordering in a graph, but got 'i32'" --expect "15:3: error: 'ml_program.return' op expects parent op 'ml_program.func'" --expect "18:3: error: 'ml_program.output' op has 0 operands, but enclosing function (@graph) outputs 1"
// EXIT: 1
// Ops of the dialect ml_program have the constraints of MLIR.

"ml_program.global"() {sym_name = "state", type = f32, is_mutable} : () -> ()
"ml_program.global"() {sym_name = "zero", type = f32, value = 0.0 : f32} : () -> ()
"ml_program.global"() {sym_name = "nothing", type = f32} : () -> ()
func.func @main(%i: i32, %f: f32) {
  %0 = "ml_program.global_load"() {global = @main} : () -> f32
  %1 = "ml_program.global_load"() {global = @state} : () -> i32
  %2 = "ml_program.global_load_const"() {global = @state} : () -> f32
  "ml_program.global_store"(%f) {global = @zero} : (f32) -> ()
  "ml_program.global_store"(%i) {global = @state} : (i32) -> ()
  %3 = "ml_program.global_store_graph"(%f, %i) {global = @state} : (f32, i32) -> !ml_program.token
  "ml_program.return"() : () -> ()
}
ml_program.subgraph @graph() -> f32 {
  "ml_program.output"() : () -> ()
}
