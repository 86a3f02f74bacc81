package im.zonda.app.settings.check;

import im.zonda.config.accounts.LdapAccounts;
import im.zonda.config.accounts.LdapAccounts.Kind;
import im.zonda.provider.ldap.LdapSyntax;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Checks of `[accounts.ldap.NAME]`.
///
/// @param path the section
/// @param report takes the key and what is wrong with it
record LdapAccountChecks(String path, BiConsumer<String, String> report) {
  /// Reports what no directory could be asked by.
  void run(LdapAccounts settings) {
    servers(settings);
    name(settings);
    if (settings.base().isBlank()) {
      wrong("base", " must be set");
    } else {
      check("base", settings.base(), LdapSyntax::isDn, "a DN");
    }
    check("filter", settings.filter(), LdapSyntax::isFilter, "a filter");
    check("group-filter", settings.groupFilter(), LdapSyntax::isFilter, "a filter");
    check("group-base", settings.groupBase(), LdapSyntax::isDn, "a DN");
    check("required-group", settings.requiredGroup(), LdapSyntax::isDn, "a DN");
    check("attribute", settings.attribute(), LdapSyntax::isAttribute, "the name of an attribute");
    Path authorities = settings.authorities();
    if (authorities != null && !Files.isReadable(authorities)) {
      wrong("authorities", ": " + authorities + " cannot be read");
    } else if (authorities != null && !LdapSyntax.areAuthorities(authorities)) {
      wrong("authorities", ": " + authorities + " is not a PEM file with certificates");
    }
  }

  private void servers(LdapAccounts settings) {
    if (settings.servers().isEmpty()) {
      wrong("servers", " must be set");
    }
    for (String server : settings.servers()) {
      if (!LdapSyntax.isServer(server)) {
        wrong("servers", ": " + server + " is not ldap://host, ldaps://host or srv://domain");
      } else if (LdapSyntax.isDomain(server)) {
        domain(settings, server);
      }
    }
  }

  private void domain(LdapAccounts settings, String server) {
    if (settings.servers().size() > 1) {
      wrong("servers", ": " + server + " must be the only one");
    }
    if (!settings.startTls()) {
      // DNS is not signed: anybody who forges an answer would get the passwords.
      wrong("start-tls", " must be true: DNS names the servers, and certificates prove them");
    }
  }

  private void name(LdapAccounts settings) {
    String name = settings.bindDn();
    if (name != null && settings.kind() == Kind.GENERIC) {
      check("bind-dn", name, LdapSyntax::isDn, "a DN");
    }
    String password = settings.bindPassword();
    if ((name == null) != (password == null) || (password != null && password.isEmpty())) {
      wrong("bind-dn", " and " + path + ".bind-password must be set together");
    }
    if (name == null && settings.kind() == Kind.ACTIVE_DIRECTORY) {
      wrong("bind-dn", " must be set: Active Directory answers no search without a name");
    } else if (name == null && settings.setPassword()) {
      wrong("bind-dn", " must be set: passwords are set by its rights");
    }
  }

  private void check(String key, @Nullable String value, Predicate<String> good, String form) {
    if (value != null && !good.test(value)) {
      wrong(key, ": " + value + " is not " + form);
    }
  }

  private void wrong(String key, String text) {
    String full = path + "." + key;
    report.accept(full, full + text);
  }
}
