package im.zonda.operation;

import java.util.List;
import java.util.Locale;

/// The closed set of what a component of an operation's records can be. Each way of asking for
/// operations is a switch over it.
public sealed interface Value {
  /// A text of one line.
  ///
  /// @param most the most characters
  record Text(int most) implements Value {}

  /// A text of several lines.
  ///
  /// @param most the most characters
  record Lines(int most) implements Value {}

  /// A whole number, both bounds included.
  record Whole(long min, long max) implements Value {}

  /// A number with a fraction.
  record Decimal() implements Value {}

  /// Yes or no.
  record Flag() implements Value {}

  /// One of some words.
  ///
  /// @param type the enum, whose constants stand for the words
  /// @param words the words, in the order of the constants
  record Choice(Class<? extends Enum<?>> type, List<String> words) implements Value {
    /// Copies the list.
    public Choice {
      words = List.copyOf(words);
    }
  }

  /// A JID.
  record Address() implements Value {}

  /// A domain.
  record Domain() implements Value {}

  /// A point in time.
  record Time() implements Value {}

  /// A length of time, such as `30s`.
  record Span() implements Value {}

  /// A number of bytes.
  record Size() implements Value {}

  /// A text that is not shown.
  record Hidden() implements Value {}

  /// Several values of one kind.
  ///
  /// @param most the most elements
  record Many(Value each, int most) implements Value {}

  /// A record.
  record Group(Shape shape) implements Value {}

  /// The word that stands for a constant of an enum: its name in lower case, with dashes.
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
