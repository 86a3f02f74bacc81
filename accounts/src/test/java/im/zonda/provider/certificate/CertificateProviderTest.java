package im.zonda.provider.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.CertificateAccounts;
import im.zonda.testkit.issuer.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateProviderTest {
  private static final String HOST = "a.example";
  private static final Verdict JULIET = new Verdict.Accepted(ProvidedAccount.of("juliet"));

  @TempDir Path folder;
  private final CertificateIssuer issuer = CertificateIssuer.root("authority");
  private Path authorities;

  @BeforeEach
  void write() throws Exception {
    authorities = CertificateIssuer.write(folder.resolve("authorities.pem"), issuer);
  }

  private CertificateProvider provider(@Nullable Path revoked, String... names) throws IOException {
    return CertificateProvider.of(
        new CertificateAccounts(authorities, revoked, List.of(names)), () -> CertificateIssuer.NOW);
  }

  private CertificateProvider provider() throws IOException {
    return provider(null, "xmpp-addr");
  }

  private static Verdict check(CertificateProvider provider, X509Certificate... chain)
      throws ProviderException {
    return provider.checkCertificate(HOST, null, List.of(chain));
  }

  private X509Certificate issue(Consumer<CertificateIssuer.Wanted> changes) {
    return issuer.issue(changes);
  }

  private static void isRefused(Verdict verdict, String reason) {
    assertThat(verdict).isEqualTo(new Verdict.Wrong(reason));
  }

  @Test
  void aCertificateOfTheAuthorityGivesItsAddress() throws Exception {
    CertificateProvider accounts = provider();
    assertThat(accounts.abilities()).isEqualTo(Set.of(Ability.CERTIFICATE));
    X509Certificate own = issue(wanted -> wanted.xmpp("Juliet@a.example"));
    assertThat(check(accounts, own)).isEqualTo(JULIET);
    assertThat(check(accounts, own, issuer.certificate())).isEqualTo(JULIET);
    assertThat(accounts.checkCertificate(HOST, "juliet", List.of(own))).isEqualTo(JULIET);
    isRefused(
        accounts.checkCertificate(HOST, "romeo", List.of(own)),
        "the certificate does not name the account");
    assertThat(accounts.checkCertificate(HOST, null, List.of())).isEqualTo(Verdict.UNKNOWN);
    X509Certificate critical = issue(wanted -> wanted.xmpp("juliet@a.example").critical = true);
    assertThat(check(accounts, critical)).isEqualTo(JULIET);
  }

  @Test
  void aCertificateOfAnAuthorityBelowIsAccepted() throws Exception {
    CertificateIssuer lower = issuer.below("lower");
    X509Certificate own = lower.issue(wanted -> wanted.xmpp("juliet@a.example"));
    assertThat(check(provider(), own, lower.certificate())).isEqualTo(JULIET);
    assertThat(check(provider(), own)).as("without what links them").isEqualTo(Verdict.UNKNOWN);
  }

  // ---- attacks

  @Test
  void aCertificateOfAnotherAuthorityIsNot() throws Exception {
    CertificateProvider accounts = provider();
    CertificateIssuer other = CertificateIssuer.root("another");
    X509Certificate own = other.issue(wanted -> wanted.xmpp("juliet@a.example"));
    assertThat(check(accounts, own)).isEqualTo(Verdict.UNKNOWN);
    assertThat(check(accounts, own, other.certificate())).isEqualTo(Verdict.UNKNOWN);
    assertThat(check(accounts, own, issuer.certificate())).isNotInstanceOf(Verdict.Accepted.class);
    CertificateIssuer sameName = CertificateIssuer.root("authority");
    X509Certificate forged = sameName.issue(wanted -> wanted.xmpp("juliet@a.example"));
    assertThat(check(accounts, forged)).isNotInstanceOf(Verdict.Accepted.class);
    assertThat(check(accounts, forged, issuer.certificate()))
        .isNotInstanceOf(Verdict.Accepted.class);
    assertThat(
            check(
                accounts, CertificateIssuer.selfSigned(wanted -> wanted.xmpp("juliet@a.example"))))
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aCertificateOfSomebodyIsNoAuthority() throws Exception {
    KeyPair keys = CertificateIssuer.newKeys();
    X509Certificate romeo = issuer.issue(keys, wanted -> wanted.xmpp("romeo@a.example"));
    X509Certificate made = CertificateIssuer.issuedBy(romeo, keys, w -> w.xmpp("juliet@a.example"));
    isRefused(check(provider(), made, romeo), "the certificate is not valid: invalid key usage");
  }

  @Test
  void aCertificateOutsideOfItsTimeIsRefused() throws Exception {
    CertificateProvider accounts = provider();
    isRefused(
        check(
            accounts,
            issue(wanted ->
                wanted.xmpp("juliet@a.example").until =
                    CertificateIssuer.NOW.minus(Duration.ofMinutes(1)))),
        "the certificate is not valid: expired");
    isRefused(
        check(
            accounts,
            issue(wanted ->
                wanted.xmpp("juliet@a.example").from =
                    CertificateIssuer.NOW.plus(Duration.ofMinutes(1)))),
        "the certificate is not valid: not yet valid");
  }

  @Test
  void whatWasRevokedIsRefusedFromThenOn() throws Exception {
    X509Certificate own = issue(wanted -> wanted.xmpp("juliet@a.example"));
    X509Certificate other = issue(wanted -> wanted.xmpp("romeo@a.example"));
    Instant later = CertificateIssuer.NOW.plus(Duration.ofDays(1));
    Path list = Files.writeString(folder.resolve("revoked.pem"), issuer.revoking(later, other));
    CertificateProvider accounts = provider(list, "xmpp-addr");
    assertThat(check(accounts, own)).isEqualTo(JULIET);
    isRefused(check(accounts, other), "the certificate is not valid: revoked");

    rewrite(list, issuer.revoking(later, other, own));
    isRefused(check(accounts, own), "the certificate is not valid: revoked");
  }

  @Test
  void nothingIsAcceptedWhileItIsNotKnownWhatWasRevoked() throws Exception {
    X509Certificate own = issue(wanted -> wanted.xmpp("juliet@a.example"));
    Instant before = CertificateIssuer.NOW.minus(Duration.ofHours(1));
    Path list = Files.writeString(folder.resolve("revoked.pem"), issuer.revoking(before));
    CertificateProvider accounts = provider(list, "xmpp-addr");
    assertThatThrownBy(() -> check(accounts, own)).isInstanceOf(ProviderException.class);

    CertificateIssuer other = CertificateIssuer.root("another");
    rewrite(list, other.revoking(CertificateIssuer.NOW.plus(Duration.ofDays(1))));
    assertThatThrownBy(() -> check(accounts, own)).isInstanceOf(ProviderException.class);

    rewrite(list, "nothing");
    assertThatThrownBy(() -> check(accounts, own))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("revoked.pem");
    rewrite(list, issuer.revoking(CertificateIssuer.NOW.plus(Duration.ofDays(1))));
    assertThat(check(accounts, own)).isEqualTo(JULIET);
  }

  private static void rewrite(Path file, String text) throws IOException {
    FileTime before = Files.getLastModifiedTime(file);
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(before.toInstant().plusSeconds(1)));
  }

  @Test
  void aCertificateForAnotherUseIsRefused() throws Exception {
    CertificateProvider accounts = provider();
    String reason = "the certificate is not for clients (key usage)";
    isRefused(
        check(
            accounts,
            issue(
                wanted -> wanted.xmpp("juliet@a.example").purpose = KeyPurposeId.id_kp_serverAuth)),
        reason);
    isRefused(
        check(
            accounts,
            issue(wanted -> wanted.xmpp("juliet@a.example").usage = KeyUsage.keyEncipherment)),
        reason);
    assertThat(
            check(
                accounts,
                issue(wanted ->
                    wanted.xmpp("juliet@a.example").purpose = KeyPurposeId.anyExtendedKeyUsage)))
        .isEqualTo(JULIET);
    isRefused(check(accounts, issuer.certificate()), "the certificate is that of an authority");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "juliet@b.example",
        "juliet@a.example.b.example",
        "juliet@a.example/balcony",
        "a.example",
        "@a.example",
        "juliet",
        "juliet@a.example\0",
        "juliet\0@a.example",
        "juliet@a.example\0@b.example",
        "juliet@b.example@a.example",
        "jul iet@a.example",
        "",
        "xmpp:juliet@a.example",
        "juliet@a.example\n"
      })
  void anAddressThatIsNoneOfTheHostGivesNothing(String address) throws Exception {
    X509Certificate own = issue(wanted -> wanted.xmpp(address));
    assertThat(check(provider(), own)).isEqualTo(Verdict.UNKNOWN);
    assertThat(provider().checkCertificate(HOST, "juliet", List.of(own)))
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void ofSeveralAddressesTheClientMustSayWhich() throws Exception {
    X509Certificate own =
        issue(wanted ->
            wanted.xmpp("juliet@a.example").xmpp("romeo@a.example").xmpp("nurse@b.example"));
    CertificateProvider accounts = provider();
    isRefused(check(accounts, own), Verdict.SEVERAL_ADDRESSES);
    assertThat(accounts.checkCertificate(HOST, "juliet", List.of(own))).isEqualTo(JULIET);
    isRefused(
        accounts.checkCertificate(HOST, "nurse", List.of(own)),
        "the certificate does not name the account");
    X509Certificate twice =
        issue(wanted -> wanted.xmpp("juliet@a.example").xmpp("JULIET@a.example"));
    assertThat(check(accounts, twice)).isEqualTo(JULIET);
  }

  @Test
  void aHugeCertificateOrChainIsRefused() throws Exception {
    CertificateProvider accounts = provider();
    X509Certificate many =
        issue(wanted -> {
          for (int i = 0; i < 101; i++) {
            wanted.xmpp("juliet" + i + "@a.example");
          }
        });
    isRefused(check(accounts, many), "the certificate cannot be read");
    X509Certificate large = issue(wanted -> wanted.xmpp("x".repeat(70_000) + "@a.example"));
    isRefused(check(accounts, large), "the certificate is too large");
    List<X509Certificate> chain = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      chain.add(issue(wanted -> wanted.xmpp("juliet@a.example")));
    }
    isRefused(
        accounts.checkCertificate(HOST, null, chain), "the chain of certificates is too long");
  }

  @Test
  void namesAreReadAsTheKindThatTheyAre() throws Exception {
    CertificateProvider accounts = provider();
    X509Certificate ia5 =
        issue(wanted ->
            wanted.alternatives.add(
                CertificateIssuer.xmppAddr(new DERIA5String("juliet@a.example"))));
    isRefused(check(accounts, ia5), "the certificate cannot be read");
    X509Certificate other =
        issue(wanted -> wanted.alternatives.add(new GeneralName(2, "juliet@a.example")));
    assertThat(check(accounts, other)).isEqualTo(Verdict.UNKNOWN);
    X509Certificate email = issue(wanted -> wanted.email("juliet@a.example"));
    assertThat(check(accounts, email)).isEqualTo(Verdict.UNKNOWN);
    assertThat(check(provider(null, "email"), email)).isEqualTo(JULIET);
    X509Certificate nul = issue(wanted -> wanted.email("juliet@a.example\0.b.example"));
    assertThat(check(provider(null, "email"), nul)).isEqualTo(Verdict.UNKNOWN);
  }

  /// CVE-2025-59154: a name within the text of another.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "romeo,CN=juliet",
        "romeo, CN=juliet",
        "romeo+CN=juliet",
        "romeo\",CN=\"juliet",
        "romeo\\,CN=juliet",
        "romeo\nCN=juliet",
        "juliet@b.example",
        "juliet@a.example",
        "juliet\0romeo",
        "juliet/CN=romeo",
        "Juliet Capulet",
        "#0c066a756c696574"
      })
  void aCommonNameWithAnotherNameInItIsNotThatName(String name) throws Exception {
    CertificateProvider accounts = provider(null, "common-name");
    X509Certificate own = issue(wanted -> wanted.named(CertificateIssuer.common(name)));
    if (check(accounts, own) instanceof Verdict.Accepted(ProvidedAccount account)) {
      assertThat(account.local()).isEqualTo(name.toLowerCase(Locale.ROOT));
    }
    for (String other : List.of("juliet", "romeo")) {
      assertThat(accounts.checkCertificate(HOST, other, List.of(own)))
          .isNotInstanceOf(Verdict.Accepted.class);
    }
  }

  @Test
  void aCommonNameIsALocalPart() throws Exception {
    CertificateProvider accounts = provider(null, "common-name");
    X509Certificate own = issue(wanted -> wanted.named(CertificateIssuer.common("Juliet")));
    assertThat(check(accounts, own)).isEqualTo(JULIET);
    X509Certificate two =
        issue(wanted -> wanted.named(CertificateIssuer.common("juliet", "romeo")));
    isRefused(check(accounts, two), "the certificate cannot be read");
    X509Certificate escaped =
        issue(wanted -> wanted.named(new X500Name("O=x\\,CN\\=juliet,CN=romeo")));
    assertThat(check(accounts, escaped))
        .isEqualTo(new Verdict.Accepted(ProvidedAccount.of("romeo")));
    X509Certificate none = issue(wanted -> wanted.named(new X500Name("O=juliet")));
    assertThat(check(accounts, none)).isEqualTo(Verdict.UNKNOWN);
  }

  /// A person with an address elsewhere does not become someone here by a name.
  @Test
  void theFirstKindOfNameThatThereIsCounts() throws Exception {
    CertificateProvider accounts = provider(null, "xmpp-addr", "email", "common-name");
    X509Certificate elsewhere =
        issue(wanted ->
            wanted
                .named(CertificateIssuer.common("juliet"))
                .xmpp("someone@b.example")
                .email("juliet@a.example"));
    assertThat(check(accounts, elsewhere)).isEqualTo(Verdict.UNKNOWN);
    X509Certificate email =
        issue(wanted -> wanted.named(CertificateIssuer.common("romeo")).email("juliet@a.example"));
    assertThat(check(accounts, email)).isEqualTo(JULIET);
    X509Certificate common = issue(wanted -> wanted.named(CertificateIssuer.common("juliet")));
    assertThat(check(accounts, common)).isEqualTo(JULIET);
  }

  @Test
  void settingsThatAreWrongAreExplained() throws Exception {
    assertThatThrownBy(() -> provider(null, "cn"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"cn\"");
    assertThatThrownBy(() -> provider((Path) null)).isInstanceOf(IllegalArgumentException.class);
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    assertThatThrownBy(() -> provider(empty, "xmpp-addr"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("empty.pem");
    authorities = empty;
    assertThatThrownBy(this::provider)
        .isInstanceOf(IOException.class)
        .hasMessage(empty + " holds no certificate");
    authorities = folder.resolve("missing.pem");
    assertThatThrownBy(this::provider)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing.pem");
    assertThatThrownBy(
            () -> CertificateProvider.of(CertificateAccounts.NONE, () -> CertificateIssuer.NOW))
        .isInstanceOf(IOException.class)
        .hasMessage("authorities must be set");
  }

  @Test
  void aTrialSaysWhatIsRead() throws Exception {
    PasswordQuestion question = new PasswordQuestion(HOST, "juliet", "x", null, "PLAIN");
    CertificateProvider accounts = provider();
    assertThat(accounts.test(question))
        .singleElement()
        .satisfies(step -> assertThat(step.text()).startsWith("authorities: 1"));
    Files.delete(authorities);
    assertThat(accounts.test(question))
        .singleElement()
        .satisfies(step -> assertThat(step.ok()).isFalse());
  }
}
