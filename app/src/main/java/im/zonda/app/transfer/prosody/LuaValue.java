package im.zonda.app.transfer.prosody;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A value that Prosody has stored. There are no functions: nothing is ever run.
sealed interface LuaValue {
  /// A string in UTF-8.
  record Text(String value) implements LuaValue {}

  /// A number.
  record Numeral(double value) implements LuaValue {}

  /// A boolean.
  record Bool(boolean value) implements LuaValue {}

  /// A table.
  ///
  /// @param items the values without keys, in order
  /// @param named the values by strings
  /// @param atFalse the value with the key `false`, in which Prosody keeps what is about the whole
  ///   table; or null
  record Table(List<LuaValue> items, Map<String, LuaValue> named, @Nullable LuaValue atFalse)
      implements LuaValue {
    /// A table without values.
    static Table empty() {
      return new Table(List.of(), Map.of(), null);
    }

    /// Copies the collections.
    public Table {
      items = List.copyOf(items);
      named = new LinkedHashMap<>(named);
    }

    /// The value of a key, or null.
    @Nullable LuaValue get(String key) {
      return named.get(key);
    }

    /// The string at a key; null if there is none.
    @Nullable String text(String key) {
      return LuaValue.text(named.get(key));
    }

    /// The table at a key; empty if there is none.
    Table table(String key) {
      return named.get(key) instanceof Table table ? table : empty();
    }

    /// The number at a key, or null.
    @Nullable Double number(String key) {
      return switch (named.get(key)) {
        case Numeral(double value) -> value;
        case Text(String value) -> parsed(value);
        case null, default -> null;
      };
    }

    private static @Nullable Double parsed(String text) {
      try {
        return Double.valueOf(text);
      } catch (NumberFormatException e) {
        return null;
      }
    }

    /// Whether the value of a key is `true`.
    boolean isTrue(String key) {
      return named.get(key) instanceof Bool(boolean value) && value;
    }

    /// The keys whose value is neither `false` nor missing.
    List<String> keys() {
      List<String> keys = new ArrayList<>();
      named.forEach((key, value) -> {
        if (!(value instanceof Bool(boolean set)) || set) {
          keys.add(key);
        }
      });
      return keys;
    }
  }

  /// The text of a string or a number; null for other values.
  static @Nullable String text(@Nullable LuaValue value) {
    return switch (value) {
      case Text(String text) -> text;
      case Numeral(double number) ->
          number == Math.rint(number) && Math.abs(number) < 1e15
              ? Long.toString((long) number)
              : Double.toString(number);
      case Bool(boolean set) -> set ? "true" : "false";
      case null, default -> null;
    };
  }
}
