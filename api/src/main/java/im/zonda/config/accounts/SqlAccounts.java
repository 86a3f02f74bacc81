package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Accounts of a table that another program writes.
public record SqlAccounts(
    @Setting(
            value =
                "the database, such as `postgresql://127.0.0.1/forum`,"
                    + " `mariadb://127.0.0.1/forum` or `sqlite:/var/lib/forum/users.db`; must be set",
            form = Form.DATABASE)
        String database,
    @Setting("user of the database") @Nullable String user,
    @Setting(value = "password of that user", form = Form.SECRET) @Nullable String password,
    @Setting(
            "TLS to the database server: `off`, `require` without checking the certificate, or"
                + " `verify` certificate and host name; without it `verify`, and `off` for a"
                + " server at a loopback address")
        @Nullable Tls tls,
    @Setting(
            "PEM file with the authorities that `verify` accepts; without it those of the Java"
                + " runtime")
        @Nullable Path authorities,
    @Setting(
            "query for one account, with `:local` and `:domain` in place of values; its columns are"
                + " `password`, and if you like `id`, `disabled`, `name`, `email`, and `local`,"
                + " which must be the local part itself; must be set")
        String query,
    @Setting("form of `password`; `auto` recognises all but `plain` by their text") Hash hash,
    @Setting(
            "query for the groups, with `:domain`; its columns are `id`, `name` and `member`; without"
                + " it there are none")
        @Nullable String groups,
    @Setting(value = "the most connections", min = 1, max = 64) int connections) {
  /// Nothing is set.
  public static final SqlAccounts NONE =
      new SqlAccounts("", null, null, null, null, "", Hash.AUTO, null, 4);

  /// TLS to a database server.
  public enum Tls {
    OFF,
    REQUIRE,
    VERIFY
  }

  /// The form of a stored password.
  public enum Hash {
    /// Any but [#PLAIN], by its text.
    AUTO,
    BCRYPT,
    ARGON2,
    PBKDF2,
    SCRYPT,
    SCRAM,
    CRYPT,
    PHPASS,
    SSHA,
    PLAIN
  }

  /// Without the password.
  @Override
  public String toString() {
    return "SqlAccounts[database=" + database + ", hash=" + hash + "]";
  }
}
