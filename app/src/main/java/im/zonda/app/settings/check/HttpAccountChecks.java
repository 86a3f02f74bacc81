package im.zonda.app.settings.check;

import im.zonda.config.accounts.HttpAccounts;
import im.zonda.provider.http.HttpProvider;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BiConsumer;

/// Checks of `[accounts.http.NAME]`. Nothing is asked, and names are not looked up.
///
/// @param path the section
/// @param report takes the key and what is wrong with it
record HttpAccountChecks(String path, BiConsumer<String, String> report) {
  /// Reports a service that cannot be asked.
  void run(HttpAccounts settings) {
    address(path + ".url", settings.url());
    Path authorities = settings.authorities();
    if (authorities != null && !HttpProvider.areAuthorities(authorities)) {
      String key = path + ".authorities";
      report.accept(key, key + ": there are no certificates that can be read in " + authorities);
    }
    String key = path + ".secret";
    String secret = settings.secret();
    if (secret != null && secret.isEmpty()) {
      report.accept(key, key + " is empty");
    }
  }

  private void address(String key, String text) {
    if (text.isEmpty()) {
      report.accept(key, key + " must be set");
      return;
    }
    URI url = URI.create(text);
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    if (url.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
      report.accept(key, key + " is not an address such as https://shop.example.org/accounts");
    } else if (url.getRawUserInfo() != null) {
      report.accept(key, key + " has a name and a password in it; " + path + ".secret is for that");
    } else if (url.getRawQuery() != null || url.getRawFragment() != null) {
      report.accept(key, key + " may have neither ? nor #");
    } else if (scheme.equals("http") && isElsewhere(url.getHost())) {
      report.accept(
          key,
          key + ": http:// is for services on this machine only, such as http://127.0.0.1:8080");
    }
  }

  /// Whether it is an address of another machine.
  private static boolean isElsewhere(String host) {
    try {
      return !InetAddress.ofLiteral(host.replace("[", "").replace("]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false; // a name, which is looked up when the service is asked
    }
  }
}
