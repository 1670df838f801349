// RUN: eval
// Two processes: sums, permutations and parts of each other's values; a channel between them.
func.func @left(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<1xi64>) {
  %s:3 = func.call @both(%x) : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<1xi64>)
  return %s#0, %s#1, %s#2 : tensor<2xi64>, tensor<2xi64>, tensor<1xi64>
}
func.func @both(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<1xi64>) {
  %sum = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  %swap = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  %part = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %m = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %m : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64} : (tensor<2xi64>) -> tensor<1xi64>
  return %sum, %swap, %part : tensor<2xi64>, tensor<2xi64>, tensor<1xi64>
}
func.func @main() {
  %x = stablehlo.constant dense<[1, 20]> : tensor<2xi64>
  %y = stablehlo.constant dense<[10, 2]> : tensor<2xi64>
  %r:6 = "interpreter.run_parallel"(%x, %y) {programs = [[@left], [@both]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<1xi64>, tensor<2xi64>, tensor<2xi64>, tensor<1xi64>)
  check.expect_eq_const %r#0, dense<[11, 22]> : tensor<2xi64>
  check.expect_eq_const %r#3, dense<[11, 22]> : tensor<2xi64>
  check.expect_eq_const %r#1, dense<[10, 2]> : tensor<2xi64>
  check.expect_eq_const %r#4, dense<[1, 20]> : tensor<2xi64>
  check.expect_eq_const %r#2, dense<10> : tensor<1xi64>
  check.expect_eq_const %r#5, dense<20> : tensor<1xi64>
  return
}
