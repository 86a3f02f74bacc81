package im.zonda.app.transfer.erlang;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A term of Erlang.
public sealed interface Term {
  /// An atom.
  record Atom(String name) implements Term {}

  /// A number.
  record Numeral(String text) implements Term {}

  /// A binary or a string, which is text in UTF-8.
  record Text(String value) implements Term {}

  /// A list.
  record Items(List<Term> terms) implements Term {
    /// Copies the list.
    public Items {
      terms = List.copyOf(terms);
    }
  }

  /// A tuple.
  record Tuple(List<Term> terms) implements Term {
    /// Copies the list.
    public Tuple {
      terms = List.copyOf(terms);
    }

    /// Whether it has `size` elements of which the first is that atom.
    public boolean is(String atom, int size) {
      return terms.size() == size
          && terms.getFirst() instanceof Atom(String name)
          && name.equals(atom);
    }
  }

  /// The words of an atom, a number or a text; null for others.
  static @Nullable String words(@Nullable Term term) {
    return switch (term) {
      case Atom(String name) -> name;
      case Numeral(String text) -> text;
      case Text(String value) -> value;
      case null, default -> null;
    };
  }

  /// The words of each element of a list, or of a single term; empty for null.
  static List<String> texts(@Nullable Term term) {
    List<Term> all =
        switch (term) {
          case Items(List<Term> terms) -> terms;
          case null -> List.of();
          case Atom _, Numeral _, Text _, Tuple _ -> List.of(term);
        };
    List<String> texts = new ArrayList<>();
    for (Term each : all) {
      String words = words(each);
      if (words != null) {
        texts.add(words);
      }
    }
    return texts;
  }

  /// The value of a pair in a list of pairs, or null.
  static @Nullable Term find(Term list, String key) {
    if (list instanceof Items(List<Term> terms)) {
      for (Term each : terms) {
        if (each instanceof Tuple tuple && tuple.is(key, 2)) {
          return tuple.terms().get(1);
        }
      }
    }
    return null;
  }
}
