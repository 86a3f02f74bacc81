package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.erlang.Term;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A record of ejabberd's own database.
///
/// @param columns the names of its columns in the version that has written it
/// @param terms the name of the table and the values
record MnesiaRecord(List<String> columns, List<Term> terms) {
  /// Copies the lists.
  MnesiaRecord {
    columns = List.copyOf(columns);
    terms = List.copyOf(terms);
  }

  /// The value of a column; null if the record has none.
  @Nullable Term find(String column) {
    int index = columns.indexOf(column) + 1;
    return index > 0 && index < terms.size() ? terms.get(index) : null;
  }

  /// The value of a column.
  ///
  /// @throws BadRecordException if the record has none
  Term get(String column) throws BadRecordException {
    Term found = find(column);
    if (found == null) {
      throw new BadRecordException("the record has no " + column);
    }
    return found;
  }

  /// The words of a column; empty if it has none.
  String words(String column) {
    String words = Term.words(find(column));
    return words == null ? "" : words;
  }

  /// The address in a term: `{User, Host, Resource}`.
  ///
  /// @throws BadRecordException if the term is none
  static String address(@Nullable Term term) throws BadRecordException {
    if (term instanceof Term.Tuple(List<Term> parts) && parts.size() == 3) {
      String user = Term.words(parts.get(0));
      String host = Term.words(parts.get(1));
      String resource = Term.words(parts.get(2));
      if (user != null && host != null && resource != null) {
        return (user.isEmpty() ? "" : user + "@")
            + host
            + (resource.isEmpty() ? "" : "/" + resource);
      }
    }
    throw new BadRecordException("not an address");
  }

  /// The time in a term: `{Megaseconds, Seconds, Microseconds}`; null if it is none.
  static @Nullable Instant time(@Nullable Term term) {
    return term instanceof Term.Tuple(List<Term> parts) && parts.size() == 3
        ? time(Term.words(parts.get(0)), Term.words(parts.get(1)), Term.words(parts.get(2)))
        : null;
  }

  /// The time of three numbers; null if it is none.
  static @Nullable Instant time(
      @Nullable String megaseconds, @Nullable String seconds, @Nullable String microseconds) {
    if (megaseconds == null || seconds == null || microseconds == null) {
      return null;
    }
    try {
      return Instant.ofEpochSecond(
          Math.addExact(
              Math.multiplyExact(Long.parseLong(megaseconds), 1_000_000L), Long.parseLong(seconds)),
          Math.multiplyExact(Long.parseLong(microseconds), 1_000L));
    } catch (NumberFormatException | ArithmeticException | DateTimeException e) {
      return null;
    }
  }
}
