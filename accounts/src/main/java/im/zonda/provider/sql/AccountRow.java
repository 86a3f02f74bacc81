package im.zonda.provider.sql;

import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.config.accounts.SqlAccounts.Hash;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.provider.hash.ScramText;
import im.zonda.provider.hash.StoredPassword;
import im.zonda.provider.hash.UnreadableHashException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The columns of one account. Those of other names are not looked at.
final class AccountRow {
  private static final int MOST_COLUMNS = 256;

  private final Map<String, @Nullable String> values;

  private AccountRow(Map<String, @Nullable String> values) {
    this.values = values;
  }

  /// Reads the row at which a result is.
  ///
  /// @throws ProviderException if it has no column for the password
  static AccountRow read(ResultSet result) throws SQLException, ProviderException {
    ResultSetMetaData columns = result.getMetaData();
    Map<String, @Nullable String> values = new HashMap<>();
    for (int i = 1; i <= Math.min(MOST_COLUMNS, columns.getColumnCount()); i++) {
      String name = columns.getColumnLabel(i).toLowerCase(Locale.ROOT);
      switch (name) {
        case "password",
            "id",
            "disabled",
            "name",
            "email",
            "local",
            "serverkey",
            "salt",
            "iterationcount" ->
            values.put(name, result.getString(i));
        default -> {
          // not asked for
        }
      }
    }
    if (!values.containsKey("password")) {
      throw new ProviderException("the result of the query has no column named password");
    }
    return new AccountRow(values);
  }

  /// Whether the row says that it is of another account. Many a database compares texts without
  /// regard to accents or spaces at their end.
  boolean isOfOther(String local) {
    String own = values.get("local");
    if (own == null) {
      return values.containsKey("local");
    }
    try {
      return !local.equals(Jid.of(own, "a.example", null).local());
    } catch (JidFormatException e) {
      return true;
    }
  }

  /// The stored password.
  ///
  /// @throws UnreadableHashException if there is none, or none that can be read
  StoredPassword password(Hash form) throws UnreadableHashException {
    String text = values.get("password");
    if (text == null || text.isEmpty()) {
      throw new UnreadableHashException("there is no stored password");
    }
    String server = values.get("serverkey");
    String salt = values.get("salt");
    String iterations = values.get("iterationcount");
    boolean columns = form == Hash.AUTO || form == Hash.SCRAM;
    if (columns && server != null && salt != null && !server.isEmpty() && !salt.isEmpty()) {
      try {
        return ScramText.ofColumns(text, server, salt, Long.parseLong(String.valueOf(iterations)));
      } catch (NumberFormatException e) {
        throw new UnreadableHashException("the column iterationcount has no number");
      }
    }
    return StoredPassword.of(form, text);
  }

  /// What the row says of the account.
  ///
  /// @throws ProviderException if a column has no value that it can have
  ProvidedAccount account(String local) throws ProviderException {
    String id = values.get("id");
    if (id != null && id.length() > ProvidedAccount.MOST_CHARS) {
      throw new ProviderException("the column id has a value that is too long");
    }
    return new ProvidedAccount(
        local,
        id == null || id.isEmpty() ? null : id,
        truth(values.get("disabled")),
        cut(values.get("name")),
        cut(values.get("email")));
  }

  private static boolean truth(@Nullable String text) throws ProviderException {
    return switch (text == null ? "" : text.strip().toLowerCase(Locale.ROOT)) {
      case "", "0", "f", "false", "n", "no" -> false;
      case "1", "t", "true", "y", "yes" -> true;
      default -> throw new ProviderException("the column disabled has a value that is no truth");
    };
  }

  private static @Nullable String cut(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    if (text.length() <= ProvidedAccount.MOST_CHARS) {
      return text;
    }
    int end = ProvidedAccount.MOST_CHARS;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }
}
