package im.zonda.app.settings.check;

import im.zonda.config.accounts.Accounts;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// Checks of `[accounts]`.
///
/// @param report takes the key and what is wrong with it
public record AccountChecks(BiConsumer<String, String> report) {
  /// Reports a chain that names what does not exist, and sections that cannot be used.
  ///
  /// @param path the section
  public void run(String path, Accounts accounts) {
    String chain = path + ".chain";
    if (accounts.chain().isEmpty()) {
      report.accept(chain, chain + " is empty: nobody could log in");
    }
    Set<String> known = new HashSet<>(Set.of(Accounts.INTERNAL));
    for (Map<String, ?> kind : kinds(accounts)) {
      for (String name : kind.keySet()) {
        if (!known.add(name)) {
          report.accept(path, path + ": there are two sections named " + name);
        }
      }
    }
    for (String name : accounts.chain()) {
      if (!known.contains(name) && Accounts.plugin(name) == null) {
        report.accept(
            chain,
            chain
                + ": there is no section for "
                + name
                + ", such as ["
                + path
                + ".ldap."
                + name
                + "]");
      }
    }
    new TreeMap<>(accounts.ldap())
        .forEach(
            (name, section) -> new LdapAccountChecks(path + ".ldap." + name, report).run(section));
    accounts
        .sql()
        .forEach((name, each) -> new SqlAccountChecks(path + ".sql." + name, report).run(each));
    accounts
        .certificate()
        .forEach((name, each) ->
            new CertificateAccountChecks(path + ".certificate." + name, report).run(each));
    String search = System.getenv("PATH");
    new TreeMap<>(accounts.program())
        .forEach((name, section) ->
            new ProgramAccountChecks(path + ".program." + name, search, report).run(section));
    new TreeMap<>(accounts.http())
        .forEach(
            (name, section) -> new HttpAccountChecks(path + ".http." + name, report).run(section));
  }

  private static List<Map<String, ?>> kinds(Accounts accounts) {
    return Stream.<Map<String, ?>>of(
            accounts.ldap(),
            accounts.program(),
            accounts.http(),
            accounts.jwt(),
            accounts.sql(),
            accounts.certificate())
        .toList();
  }
}
