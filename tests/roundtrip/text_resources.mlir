// RUN: roundtrip
// Blobs outside the program text, with alignments and keys that need quotes.
"t.use"() {a = dense_resource<blob> : tensor<2xi32>, b = dense_resource<"other blob"> : tensor<3xi8>} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000",
      "other blob": "0x01000000010203"
    }
  }
#-}
