package im.zonda.storage.sql.sqlite;

import im.zonda.storage.sql.database.SqlSyntax;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// The SQL of SQLite. The index of words is an FTS5 table.
final class SqliteSyntax implements SqlSyntax {
  @Override
  public String lastOwnerId() {
    return "select seq from sqlite_sequence where name = 'account'";
  }

  @Override
  public List<String> continueOwnerIds(long after) {
    return List.of(
        "insert into sqlite_sequence (name, seq) select 'account', 0"
            + " where not exists (select 1 from sqlite_sequence where name = 'account')",
        "update sqlite_sequence set seq = " + after + " where name = 'account'");
  }

  @Override
  public String contains(String column) {
    return "instr(" + column + ", ?) > 0";
  }

  @Override
  public String containsBytes(String column) {
    return contains(column);
  }

  @Override
  public String addWords() {
    return "insert into archive_text (rowid, words) values (?, ?)";
  }

  @Override
  public String removeWords(String ids) {
    return "delete from archive_text where rowid " + ids;
  }

  @Override
  public String findWords(boolean backwards) {
    return "select rowid from archive_text where archive_text match ? and rowid >= ? and rowid <= ?"
        + (backwards ? " order by rowid desc limit ?" : " order by rowid limit ?");
  }

  @Override
  public String allWords(Collection<String> words) {
    return words.stream().collect(Collectors.joining("\" \"", "\"", "\""));
  }
}
