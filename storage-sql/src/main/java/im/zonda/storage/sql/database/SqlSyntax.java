package im.zonda.storage.sql.database;

import java.util.Collection;
import java.util.List;

/// SQL text in which kinds of databases differ. Tables and columns are names in our code, never
/// input; values are always parameters.
public interface SqlSyntax {
  /// Inserts rows; the parameters of each row are in the order of the columns.
  static String insert(String table, List<String> columns, int rows) {
    String row = "(" + "?, ".repeat(columns.size() - 1) + "?)";
    return "insert into "
        + table
        + " ("
        + String.join(", ", columns)
        + ") values "
        + row
        + (", " + row).repeat(rows - 1);
  }

  /// A list of parameters in parentheses, for `in`.
  static String parameters(int count) {
    return "(" + "?, ".repeat(count - 1) + "?)";
  }

  /// Inserts rows; a row whose key exists is left as it is. No other constraint may be violated.
  ///
  /// @param columns all columns
  /// @param key those of them that are a unique key
  default String insertMissing(String table, List<String> columns, List<String> key, int rows) {
    return insert(table, columns, rows)
        + " on conflict ("
        + String.join(", ", key)
        + ") do nothing";
  }

  /// Inserts rows of a copy: an id that the database would issue is given.
  default String insertCopied(String table, List<String> columns, int rows) {
    return insert(table, columns, rows);
  }

  /// The query for the clock of the server in microseconds since 1970; empty where it is that of
  /// this machine.
  default String clock() {
    return "";
  }

  /// The highest id of an owner that was ever issued: one row with a number, or nothing.
  String lastOwnerId();

  /// The statements after which ids of owners are above this one.
  List<String> continueOwnerIds(long after);

  /// The condition that a text contains the parameter, compared exactly.
  String contains(String column);

  /// The condition that bytes contain the parameter.
  String containsBytes(String column);

  /// Adds an entry to the index of words. Parameters: the id, the words separated by spaces.
  String addWords();

  /// Removes entries from the index of words.
  ///
  /// @param ids the condition for the entries' ids, such as `= ?`
  String removeWords(String ids);

  /// Finds the ids of entries that have all words, in order. Parameters: [#allWords], the lowest
  /// id, the highest id, the limit.
  String findWords(boolean backwards);

  /// The parameter of [#findWords] for these words. Words consist of letters, digits and `_`.
  String allWords(Collection<String> words);
}
