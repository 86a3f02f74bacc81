package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import org.jspecify.annotations.Nullable;

/// Accounts of a table that another program writes.
public record SqlAccounts(
    @Setting(
            value =
                "the database, such as `postgresql://127.0.0.1/forum` or"
                    + " `mariadb://127.0.0.1/forum`; must be set",
            form = Form.DATABASE)
        String database,
    @Setting("user of the database") @Nullable String user,
    @Setting(value = "password of that user", form = Form.SECRET) @Nullable String password,
    @Setting(
            "query for one account, with `:local` and `:domain` in place of values; its columns are"
                + " `password`, and if you like `id`, `disabled`, `name`, `email`; must be set")
        String query,
    @Setting("form of `password`; `auto` recognises it by its text") Hash hash,
    @Setting(
            "query for the groups, with `:domain`; its columns are `id`, `name` and `member`; without"
                + " it there are none")
        @Nullable String groups,
    @Setting(value = "the most connections", min = 1, max = 64) int connections) {
  /// Nothing is set.
  public static final SqlAccounts NONE = new SqlAccounts("", null, null, "", Hash.AUTO, null, 4);

  /// The form of a stored password.
  public enum Hash {
    AUTO,
    BCRYPT,
    ARGON2,
    PBKDF2,
    SCRAM,
    CRYPT,
    PLAIN
  }

  /// Without the password.
  @Override
  public String toString() {
    return "SqlAccounts[database=" + database + ", hash=" + hash + "]";
  }
}
