// The parts of a program by their numbers: ops, values, blocks, regions, types and attributes.
#include <unordered_set>

#include "bind.h"

namespace shlo::python {
namespace {

// A list of consecutive numbers.
template <auto Count, auto Get>
nb::list Consecutive(const Program& program, uint32_t id) {
  nb::list out;
  const uint32_t count = Count(program.handle, id);
  for (uint32_t i = 0; i < count; ++i) out.append(Get(program.handle, id, i));
  return out;
}

// The ops below `root`, each before those in its regions; with `name`, those with that name.
nb::list Walk(const Program& program, shlo_op root, nb::handle name) {
  const auto wanted = name.is_none() ? std::string() : nb::cast<std::string>(name);
  nb::list out;
  std::vector<shlo_op> stack = {root};
  std::vector<shlo_op> inner;
  while (!stack.empty()) {
    const shlo_op op = stack.back();
    stack.pop_back();
    if (op != root) {
      const shlo_str found = shlo_op_name(program.handle, op);
      if (name.is_none() || std::string_view(found.data, found.size) == wanted) out.append(op);
    }
    inner.clear();
    size_t regions = 0;
    const shlo_region* region = shlo_op_regions(program.handle, op, &regions);
    for (size_t r = 0; r < regions; ++r) {
      size_t blocks = 0;
      const shlo_block* block = shlo_region_blocks(program.handle, region[r], &blocks);
      for (size_t b = 0; b < blocks; ++b) {
        size_t ops = 0;
        const shlo_op* first = shlo_block_ops(program.handle, block[b], &ops);
        inner.insert(inner.end(), first, first + ops);
      }
    }
    stack.insert(stack.end(), inner.rbegin(), inner.rend());
  }
  return out;
}

// [(op, index of the operand)]
nb::list Uses(const Program& program, shlo_value value) {
  const shlo_use* uses = nullptr;
  size_t count = 0;
  Check(WithoutGil([&] { return shlo_value_uses(program.handle, value, &uses, &count); }));
  nb::list out;
  for (size_t i = 0; i < count; ++i) out.append(nb::make_tuple(uses[i].op, uses[i].operand));
  return out;
}

// [(name, attribute, inherent)]
nb::list OpAttributes(const Program& program, shlo_op op) {
  nb::list out;
  const uint32_t count = shlo_op_attr_count(program.handle, op);
  for (uint32_t i = 0; i < count; ++i) {
    shlo_named_attr named{};
    if (shlo_op_attr_at(program.handle, op, i, &named) == 0) break;
    out.append(nb::make_tuple(Name(named.name), named.value, named.inherent != 0));
  }
  return out;
}

// The names of the groups of attributes that are written.
nb::list OpAttrGroups(const Program& program, shlo_op op) {
  nb::list out;
  for (uint32_t i = 0;; ++i) {
    const shlo_str name = shlo_op_attr_group(program.handle, op, i);
    if (name.size == 0) return out;
    out.append(Name(name));
  }
}

nb::object Place(const shlo_place& place) {
  return nb::make_tuple(Text(place.file), place.line, place.column);
}

nb::object OpPlace(const Program& program, shlo_op op) {
  shlo_place place = SHLO_PLACE_INIT;
  return shlo_op_place(program.handle, op, &place) == 0 ? nb::none() : Place(place);
}

nb::object LocationPlace(const Program& program, shlo_attr location) {
  shlo_place place = SHLO_PLACE_INIT;
  return shlo_location_place(program.handle, location, &place) == 0 ? nb::none() : Place(place);
}

nb::object Dimensions(const int64_t* sizes, uint32_t rank) {
  if (sizes == nullptr && rank != 0) return nb::none();
  nb::list out;
  for (uint32_t i = 0; i < rank; ++i)
    out.append(sizes[i] == SHLO_DYNAMIC ? nb::none() : nb::object(nb::int_(sizes[i])));
  return nb::tuple(out);
}

// (shape or None, bounds or None, element type, encoding, kind, bits, bytes of the element), or None for a
// type without a shape.
nb::object TypeInfo(const Program& program, shlo_type type) {
  shlo_type_info info = SHLO_TYPE_INFO_INIT;
  if (shlo_type_get(program.handle, type, &info) == 0) return nb::none();
  return nb::make_tuple(info.shaped != 0, info.ranked == 0 ? nb::none() : Dimensions(info.shape, info.rank),
                        info.bounds == nullptr ? nb::none() : Dimensions(info.bounds, info.rank),
                        info.element, info.encoding, Text(info.element_kind), info.element_bits,
                        info.element_bytes);
}

// A value and what it is: "int", "float", "str", "type", "attr", "bytes".
nb::object Item(const Program& program, const shlo_field& field, size_t i) {
  switch (field.kind) {
    case SHLO_FIELD_INT:
    case SHLO_FIELD_INTS:
      return nb::int_(shlo_field_int(&field, i));
    case SHLO_FIELD_FLOAT:
    case SHLO_FIELD_FLOATS:
      return nb::float_(shlo_field_float(&field, i));
    case SHLO_FIELD_STRING:
    case SHLO_FIELD_STRINGS:
      return Text(shlo_field_string(program.handle, &field, i));
    case SHLO_FIELD_NAMED: {
      const shlo_named_attr named = shlo_field_named(program.handle, &field, i);
      return nb::make_tuple(Name(named.name), named.value);
    }
    default:
      return nb::int_(shlo_field_id(&field, i));
  }
}

// [(name, kind, value or list of values)]
template <auto Count, auto Get>
nb::list Fields(const Program& program, uint32_t id) {
  nb::list out;
  const uint32_t count = Count(program.handle, id);
  for (uint32_t i = 0; i < count; ++i) {
    shlo_field field = SHLO_FIELD_INIT;
    if (Get(program.handle, id, i, &field) == 0) break;
    nb::object value = nb::none();
    if (field.kind >= SHLO_FIELD_INTS) {
      nb::list items;
      for (size_t j = 0; j < field.count; ++j) items.append(Item(program, field, j));
      value = items;
    } else if (field.kind != SHLO_FIELD_BYTES) {
      value = Item(program, field, 0);
    }
    out.append(nb::make_tuple(Text(field.name), field.kind, value));
  }
  return out;
}

// The value of an attribute that is simple: (what, value) with what = "int", "bool", "float", "str",
// "symbol", "enum", "type", "array", "dict"; None for others.
nb::object AttrValue(const Program& program, shlo_attr attr) {
  const shlo_program* p = program.handle;
  int boolean = 0;
  int64_t integer = 0;
  double number = 0;
  shlo_str text{};
  shlo_type type = 0;
  if (shlo_attr_bool(p, attr, &boolean) != 0) return nb::make_tuple("bool", boolean != 0);
  if (shlo_attr_int(p, attr, &integer) != 0) return nb::make_tuple("int", integer);
  if (shlo_attr_float(p, attr, &number) != 0) return nb::make_tuple("float", number);
  if (shlo_attr_string(p, attr, &text) != 0) return nb::make_tuple("str", Text(text));
  if (shlo_attr_symbol(p, attr, &text) != 0) return nb::make_tuple("symbol", Text(text));
  if (shlo_attr_enum(p, attr, &text) != 0) return nb::make_tuple("enum", Text(text));
  if (shlo_attr_type_value(p, attr, &type) != 0) return nb::make_tuple("type", type);
  const shlo_str kind = shlo_attr_kind(p, attr);
  const std::string_view name(kind.data, kind.size);
  // array<...> has the same kind as [...], but elements.
  shlo_elements elements = SHLO_ELEMENTS_INIT;
  shlo_error* none = name == "array" ? shlo_attr_elements(p, attr, &elements) : nullptr;
  shlo_error_free(none);
  if (none != nullptr) {
    nb::list out;
    for (size_t i = 0; i < shlo_attr_array_count(p, attr); ++i) out.append(shlo_attr_array_at(p, attr, i));
    return nb::make_tuple("array", out);
  }
  if (name == "dictionary") {
    nb::list out;
    for (size_t i = 0; i < shlo_attr_dict_count(p, attr); ++i) {
      shlo_named_attr named{};
      if (shlo_attr_dict_at(p, attr, i, &named) != 0)
        out.append(nb::make_tuple(Name(named.name), named.value));
    }
    return nb::make_tuple("dict", out);
  }
  return nb::none();
}

// (type, element type, kind of the element, shape, number of elements, splat, bytes), or None if the
// attribute has no elements.
nb::object AttrElements(nb::object owner, shlo_attr attr) {
  const auto& program = nb::cast<const Program&>(owner);
  shlo_elements e = SHLO_ELEMENTS_INIT;
  shlo_error* error = WithoutGil([&] { return shlo_attr_elements(program.handle, attr, &e); });
  if (error != nullptr && shlo_error_code(error) == SHLO_CODE_UNSUPPORTED) {
    shlo_error_free(error);
    return nb::none();
  }
  Check(error);
  return nb::make_tuple(e.type, e.element, Text(e.element_kind), Dimensions(e.shape, e.rank), e.count,
                        e.splat != 0,
                        nb::cast(new View{owner, e.data, e.size}, nb::rv_policy::take_ownership));
}

}  // namespace

void DefineWalk(nb::module_& module) {
  SHLO_BIND(module_op);
  module.def("functions", [](const Program& p) {
    nb::list out;
    for (uint32_t i = 0; i < shlo_function_count(p.handle); ++i) out.append(shlo_function_at(p.handle, i));
    return out;
  });
  SHLO_BIND(function_find);
  SHLO_BIND(op_name);
  SHLO_BIND(op_vhlo_name);
  SHLO_BIND(op_symbol);
  SHLO_BIND(op_block);
  SHLO_BIND(op_parent);
  SHLO_BIND(op_operands);
  SHLO_BIND(op_regions);
  SHLO_BIND(op_successors);
  module.def("op_results", &Consecutive<shlo_op_result_count, shlo_op_result>);
  module.def("op_attributes", &OpAttributes);
  SHLO_BIND(op_attr);
  module.def("op_attr_groups", &OpAttrGroups);
  SHLO_BIND(op_attr_group_text);
  SHLO_BIND(op_location);
  module.def("op_place", &OpPlace);
  SHLO_BIND(op_text);
  module.def("walk", &Walk, nb::arg(), nb::arg(), nb::arg().none());
  SHLO_BIND(block_ops);
  module.def("block_args", &Consecutive<shlo_block_arg_count, shlo_block_arg>);
  SHLO_BIND(block_region);
  SHLO_BIND(region_blocks);
  SHLO_BIND(region_op);
  SHLO_BIND(value_type);
  SHLO_BIND(value_op);
  SHLO_BIND(value_block);
  SHLO_BIND(value_index);
  SHLO_BIND(value_name);
  module.def("value_uses", &Uses);
  module.def("location_place", &LocationPlace);
  SHLO_BIND(type_text);
  SHLO_BIND(attr_text);
  SHLO_BIND(type_kind);
  SHLO_BIND(attr_kind);
  module.def("type_get", &TypeInfo);
  module.def("type_fields", &Fields<shlo_type_field_count, shlo_type_field>);
  module.def("attr_fields", &Fields<shlo_attr_field_count, shlo_attr_field>);
  module.def("attr_value", &AttrValue);
  SHLO_BIND(attr_type);
  module.def("attr_elements", &AttrElements);
}

}  // namespace shlo::python
