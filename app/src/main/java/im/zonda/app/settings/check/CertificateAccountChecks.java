package im.zonda.app.settings.check;

import im.zonda.config.accounts.CertificateAccounts;
import im.zonda.provider.certificate.CertificateProvider;
import java.util.function.BiConsumer;

/// Checks of `[accounts.certificate.NAME]`.
///
/// @param path the section
/// @param report takes the key and what is wrong with it
record CertificateAccountChecks(String path, BiConsumer<String, String> report) {
  /// Reports names that are not known, and files that cannot be used.
  void run(CertificateAccounts settings) {
    String names = CertificateProvider.problemWithNames(settings);
    if (names != null) {
      report.accept(path + ".names", path + ".names " + names);
    }
    if (settings.authorities() == null) {
      report.accept(path + ".authorities", path + ".authorities must be set");
      return;
    }
    String files = CertificateProvider.problemWithFiles(settings);
    if (files != null) {
      report.accept(path, path + ": " + files);
    }
  }
}
