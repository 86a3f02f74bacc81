package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where the accounts of a host are.
public record Accounts(
    @Setting(
            "where a login is looked up, one after another: `internal` for the server's own accounts,"
                + " the name of a section below, such as `staff` for `[accounts.ldap.staff]`, or"
                + " `plugin:NAME` for a plugin")
        List<String> chain,
    @Setting(
            value =
                "time for which the answer to a right password is kept in memory, so that the"
                    + " provider is not asked again; `0ms` for none",
            max = 86_400_000)
        Duration cache,
    @Setting(
            value =
                "time for which a right password that was kept is still accepted when its provider"
                    + " does not answer",
            max = 604_800_000)
        Duration grace,
    @Setting(value = "the most time that a provider has for an answer", min = 100, max = 60_000)
        Duration timeLimit,
    @Setting(value = "the most questions to one provider at a time", min = 1, max = 1_024)
        int questions,
    @Setting(
            value =
                "time from one look at people who are online to the next: who was disabled or removed"
                    + " by the provider is signed out",
            min = 10_000,
            max = 86_400_000)
        Duration refresh,
    @Setting(
            "whether a login by another provider may take over an account of the same name that the"
                + " server keeps itself")
        boolean adopt,
    @Setting("directories (LDAP, Active Directory), each by a name of your own")
        Map<String, LdapAccounts> ldap,
    @Setting("programs that answer by the extauth protocol of ejabberd, each by a name of your own")
        Map<String, ProgramAccounts> program,
    @Setting("services that answer by HTTP, each by a name of your own")
        Map<String, HttpAccounts> http,
    @Setting("issuers of tokens (JWT), each by a name of your own") Map<String, JwtAccounts> jwt,
    @Setting("tables of other databases, each by a name of your own") Map<String, SqlAccounts> sql,
    @Setting("certificates of clients, each by a name of your own")
        Map<String, CertificateAccounts> certificate) {
  /// The name of the server's own accounts in a chain.
  public static final String INTERNAL = "internal";

  private static final String PLUGIN = "plugin:";

  /// The server's own accounts only.
  public static final Accounts DEFAULTS =
      new Accounts(
          List.of(INTERNAL),
          Duration.ofMinutes(5),
          Duration.ofHours(1),
          Duration.ofSeconds(5),
          32,
          Duration.ofMinutes(5),
          false,
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of());

  /// Copies the collections.
  public Accounts {
    chain = List.copyOf(chain);
    ldap = Map.copyOf(ldap);
    program = Map.copyOf(program);
    http = Map.copyOf(http);
    jwt = Map.copyOf(jwt);
    sql = Map.copyOf(sql);
    certificate = Map.copyOf(certificate);
  }

  /// The plugin that a name in a chain stands for: `plugin:NAME`; null if it stands for none.
  public static @Nullable String plugin(String name) {
    return name.startsWith(PLUGIN) ? name.substring(PLUGIN.length()) : null;
  }

  /// Whether only the server's own accounts are asked.
  public boolean isInternal() {
    return chain.equals(List.of(INTERNAL));
  }
}
