package im.zonda.app.settings.check;

import im.zonda.config.accounts.SqlAccounts;
import im.zonda.provider.sql.NamedQuery;
import im.zonda.provider.sql.SqlProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.BiConsumer;

/// Checks of `[accounts.sql.NAME]`.
///
/// @param path the section
/// @param report takes the key and what is wrong with it
record SqlAccountChecks(String path, BiConsumer<String, String> report) {
  private static final String FILE = "sqlite:";

  /// Reports what no table could be asked by.
  void run(SqlAccounts settings) {
    String database = settings.database();
    if (database.isBlank()) {
      wrong("database", " must be set");
    } else if (database.startsWith(FILE)) {
      if (!Path.of(database.substring(FILE.length())).isAbsolute()) {
        wrong("database", " must name the whole path of the file");
      }
    } else if (settings.user() == null) {
      wrong("user", " must be set");
    }
    query("query", settings.query(), SqlProvider.PARAMETERS);
    String groups = settings.groups();
    if (groups != null) {
      query("groups", groups, SqlProvider.GROUP_PARAMETERS);
    }
    Path authorities = settings.authorities();
    if (authorities != null && !Files.isReadable(authorities)) {
      wrong("authorities", ": " + authorities + " cannot be read");
    }
  }

  private void query(String key, String text, Set<String> known) {
    try {
      NamedQuery query = NamedQuery.parse(text, known);
      if (known.contains("local") && !query.parameters().contains("local")) {
        wrong(key, " does not ask for :local: it would find the same for everybody");
      }
    } catch (IllegalArgumentException e) {
      wrong(key, " " + e.getMessage());
    }
  }

  private void wrong(String key, String text) {
    String full = path + "." + key;
    report.accept(full, full + text);
  }
}
