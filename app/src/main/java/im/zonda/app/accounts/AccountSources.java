package im.zonda.app.accounts;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.ProviderException;
import im.zonda.auth.provider.ProviderChains;
import im.zonda.config.accounts.Accounts;
import im.zonda.provider.certificate.CertificateProvider;
import im.zonda.provider.http.HttpProvider;
import im.zonda.provider.jwt.JwtAccountProvider;
import im.zonda.provider.ldap.LdapProvider;
import im.zonda.provider.program.ProgramProvider;
import im.zonda.provider.sql.SqlProvider;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Opens those who keep accounts elsewhere, as the settings name them.
public final class AccountSources implements ProviderChains.Source {
  private final InstantSource clock;
  private volatile Function<String, @Nullable AccountProvider> plugins = _ -> null;

  public AccountSources(InstantSource clock) {
    this.clock = clock;
  }

  /// Sets what gives the providers of plugins.
  ///
  /// @param running the provider of a plugin; null if it does not run, or has none
  public void pluginsFrom(Function<String, @Nullable AccountProvider> running) {
    plugins = running;
  }

  /// The names of the settings' sections, by kind.
  private static Map<String, Set<String>> names(Accounts settings) {
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
    if (Accounts.plugin(name) != null) {
      return "plugin";
    }
    return names(settings).entrySet().stream()
        .filter(each -> each.getValue().contains(name))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  @Override
  public AccountProvider open(String name, Accounts settings) {
    try {
      return opened(name, settings);
    } catch (ProviderException | IOException e) {
      throw new IllegalArgumentException("accounts " + name + ": " + e.getMessage(), e);
    }
  }

  private AccountProvider opened(String name, Accounts settings)
      throws ProviderException, IOException {
    return switch (kind(name, settings)) {
      case "ldap" -> LdapProvider.of(section(settings.ldap(), name), clock);
      case "program" -> ProgramProvider.start(name, section(settings.program(), name));
      case "http" -> HttpProvider.of(name, section(settings.http(), name), clock);
      case "jwt" ->
          JwtAccountProvider.create(section(settings.jwt(), name), settings.timeLimit(), clock);
      case "sql" -> SqlProvider.of(section(settings.sql(), name), settings.timeLimit());
      case "certificate" -> CertificateProvider.of(section(settings.certificate(), name), clock);
      case "plugin" ->
          new PluginAccountProvider(
              Objects.requireNonNull(Accounts.plugin(name)), each -> plugins.apply(each));
      default ->
          throw new IllegalArgumentException(
              "accounts.chain: there is no section for "
                  + name
                  + ", such as [accounts.ldap."
                  + name
                  + "]");
    };
  }

  private static <T> T section(Map<String, T> sections, String name) {
    return Objects.requireNonNull(sections.get(name));
  }
}
