package im.zonda.provider.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.provider.ldap.TestDirectory.Plan;
import im.zonda.testkit.database.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates of directories that are not theirs. No password is sent to such a server.
final class LdapTlsTest {
  private static TestAuthority good;
  private static TestAuthority elsewhere;
  private static TestAuthority expired;
  private static TestAuthority foreign;
  private static Path noCertificates;

  private final AtomicInteger binds = new AtomicInteger();
  private final InMemoryOperationInterceptor counter =
      new InMemoryOperationInterceptor() {
        @Override
        public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request) {
          binds.incrementAndGet();
        }
      };

  @BeforeAll
  static void makeCertificates(@TempDir Path folder, @TempDir Path other) throws IOException {
    good = TestAuthority.create(folder);
    elsewhere = TestAuthority.issue(folder, "elsewhere", List.of("dc1.example.org"));
    expired = TestAuthority.issueExpired(folder, "expired", List.of("localhost"));
    foreign = TestAuthority.create(other);
    noCertificates = Files.writeString(folder.resolve("empty.pem"), "no certificate\n");
  }

  private static Verdict check(Plan plan) throws Exception {
    try (LdapProvider provider = plan.provider()) {
      return provider.checkPassword(
          new PasswordQuestion("example.org", "romeo", "montague", null, "PLAIN"));
    }
  }

  private void refused(TestAuthority served, Path trusted, String reason) throws Exception {
    try (TestDirectory directory = TestDirectory.start(served, 0, counter)) {
      for (String server : List.of(directory.ldap(), directory.ldaps())) {
        assertThatThrownBy(() -> check(new Plan(List.of(server)).tls(trusted)))
            .as(server)
            .isInstanceOf(ProviderException.class)
            .hasMessageContaining(reason);
      }
    }
    assertThat(binds).hasValue(0);
  }

  @Test
  void aGoodCertificateIsTrusted() throws Exception {
    try (TestDirectory directory = TestDirectory.start(good, 0, counter)) {
      for (String server : List.of(directory.ldap(), directory.ldaps())) {
        assertThat(check(new Plan(List.of(server)).tls(good.authority())))
            .isInstanceOf(Verdict.Accepted.class);
      }
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    refused(foreign, good.authority(), "PKIX path");
  }

  @Test
  void aCertificateOfAnotherHostIsRefused() throws Exception {
    refused(elsewhere, good.authority(), "localhost");
  }

  @Test
  void aCertificateThatHasExpiredIsRefused() throws Exception {
    refused(expired, good.authority(), "validity check failed");
  }

  @Test
  void withoutAFileOfAuthoritiesThoseOfJavaCount() throws Exception {
    try (TestDirectory directory = TestDirectory.start(good, 0, counter)) {
      Plan plan = new Plan(List.of(directory.ldaps()));
      assertThatThrownBy(() -> check(plan))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("PKIX path");
    }
    assertThat(binds).hasValue(0);
  }

  @Test
  void anAddressNeedsACertificateThatNamesIt() throws Exception {
    try (TestDirectory directory = TestDirectory.start(good, 0, counter)) {
      Plan plan = new Plan(List.of("ldap://127.0.0.1:" + directory.port())).tls(good.authority());
      assertThatThrownBy(() -> check(plan))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("127.0.0.1");
    }
    assertThat(binds).hasValue(0);
  }

  @Test
  void aServerWithoutStartTlsIsNotUsedWithoutEncryption() throws Exception {
    try (TestDirectory directory = TestDirectory.start(counter)) {
      Plan plan = directory.plan().tls(good.authority());
      assertThatThrownBy(() -> check(plan)).isInstanceOf(ProviderException.class);
    }
    assertThat(binds).hasValue(0);
  }

  @Test
  void aFileWithoutCertificatesTrustsNobody() throws Exception {
    assertThat(LdapSyntax.areAuthorities(noCertificates)).isFalse();
    assertThat(LdapSyntax.areAuthorities(good.authority())).isTrue();
    refused(good, noCertificates, "TLS");
  }
}
