package im.zonda.app.accounts;

import im.zonda.account.provider.AccountProvider;
import im.zonda.auth.provider.ProviderChains;
import im.zonda.config.accounts.Accounts;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Opens those who keep accounts elsewhere, as the settings name them.
public final class AccountSources implements ProviderChains.Source {
  private final InstantSource clock;

  public AccountSources(InstantSource clock) {
    this.clock = clock;
  }

  /// The names of the settings' sections, by kind.
  public static Map<String, Set<String>> names(Accounts settings) {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    names.put("ldap", settings.ldap().keySet());
    names.put("program", settings.program().keySet());
    names.put("http", settings.http().keySet());
    names.put("jwt", settings.jwt().keySet());
    names.put("sql", settings.sql().keySet());
    names.put("certificate", settings.certificate().keySet());
    return names;
  }

  /// The kind of a name in a chain; empty if there is no such section.
  static String kind(String name, Accounts settings) {
    return names(settings).entrySet().stream()
        .filter(each -> each.getValue().contains(name))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  @Override
  public AccountProvider open(String name, Accounts settings) {
    throw new IllegalArgumentException(
        "accounts.chain: there is no section for "
            + name
            + ", such as [accounts.ldap."
            + name
            + "]");
  }
}
