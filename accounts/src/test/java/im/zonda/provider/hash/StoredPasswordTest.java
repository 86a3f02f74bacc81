package im.zonda.provider.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.accounts.SqlAccounts.Hash;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Passwords as other programs have stored them. Each vector was made by the program that is named
/// beside it.
@Timeout(120)
class StoredPasswordTest {
  private static final String PASSWORD = "Grüße, π & \"q'";
  private static final String HORSE = "correct horse";
  private static final String LONG = "x".repeat(200);

  private static boolean matches(String text, String password) throws Exception {
    return StoredPassword.of(Hash.AUTO, text).matches(password);
  }

  /// Vectors of [#PASSWORD]: the form, a bar, and the text.
  private static final String VECTORS =
      """
      # bcrypt 5.0.0 for Python
      BCRYPT|$2b$06$7ap8vBzENWM3C.QRlzvt3u/wgTSCssazuSSBvvNjHp6S5RzDYG9aO
      BCRYPT|$2a$05$V3l5Zcb1pXiHQZ0Jj2QT4uB.xDahjZ0rh7nCSnTr6r/irRlgOHUUW
      BCRYPT|{BLF-CRYPT}$2b$06$7ap8vBzENWM3C.QRlzvt3u/wgTSCssazuSSBvvNjHp6S5RzDYG9aO
      # the same, of the HMAC that WordPress 6.8 makes
      BCRYPT|$wp$2y$05$wmFo7BELKktLGMbx.ULqVubtaBcWkgN3/3CAwvHiLAwcbBQJXRkkG
      # argon2-cffi 25.1.0
      ARGON2|$argon2id$v=19$m=1024,t=2,p=2$cJtbsXX6PpSePqxpZTlhRA$SXPO4tbIRG4u8QoFoQPEIIhVOm6XRKKbVQilD8Rr3eQ
      ARGON2|$argon2i$v=19$m=1024,t=2,p=2$ClSI3pGpNTjRmPidjRHi8w$deH7HRBIRGzIvLILsYCD+uVHAbuqDQ+Tciv3VhkV3k0
      ARGON2|$argon2d$v=19$m=1024,t=2,p=2$Y6twoTIiO1F2Iaxi5sPYZA$flDgiS00nb2m+ARLBo7fqe3iB8Xx97YiZubHWeRjgxQ
      ARGON2|$argon2id$v=19$m=65536,t=3,p=4$xqjTBEgNccn2sDxfvPDVKg$lD53E6s/9wJ2EV0CKcu70oeRr9wjFAZGqWSnj0FX7bE
      # Django 5.2.19
      PBKDF2|pbkdf2_sha256$3000$iX75wuvcxsooZTrSkUjHRV$lljX2RyWzhZzoQfWc5hXmj1ttCOyD5U51uIlnaBUqVY=
      PBKDF2|pbkdf2_sha1$1000$tVHpapjGaUJksW5Sg2vy2r$4SFFTTDTcMu7XnejwXvtx3xLvYs=
      ARGON2|argon2$argon2id$v=19$m=1024,t=2,p=8$d3BUMmFnUEJmTzNZWVdKeEw2cFJycg$Oj7Zr+tyH+4a7+TBZUz/Xpkd3jVwS1ouyQUc4nxbtqg
      BCRYPT|bcrypt_sha256$$2b$05$F.G2cwJEfghHiuEeRbSbju1aii43C8yftATphdwperU25seg858nW
      BCRYPT|bcrypt$$2b$05$OHgDqCov7Ffe2noTXjGwg.JhnyvK5BUh6D7pHyiMAKNEvFXQXOEnW
      SCRYPT|scrypt$16384$eKTTxC7MZvDBphpThund8T$8$5$QHKAF9LlBxqIhr2ASRZ8sGYOG6qDNCeGc5gdQuM5GWG+8ooSQRgQV61U2Z90kSO+lxSl2lweDSIIm8hLkOCX+A==
      # Werkzeug 3.1.9
      SCRYPT|scrypt:32768:8:1$eDPxpGn8l2kdUSGC$83e68002638ddd15a0bbe88c53fb93545bcae4a53f2b61b9b9d88102d72584ea18d501cdc54927496bd9fe3713bed938b47fcbc79a899990f4ec8d80f6702783
      SCRYPT|scrypt:1024:4:2$VEArIHq8XTUsivwy$aa5409b34bcaa2fd560d25674bd9c1e7247fc9b9c017c9b3edfa5001104e7d84ecce47c360c04a1f4c34def19e5275236f67b60c148e2302332ba471da8ce20a
      PBKDF2|pbkdf2:sha256:2000$VZTpqKxGm45rtNF4$3ce3fb4f8fc1a1abc1acab4ef32150c776c5864572257a2170b3aad8095a4588
      PBKDF2|pbkdf2:sha512:700$i4i7fdO7OK661NRZ$bca37a111206806d7161463f404b81faea5cfdfb5babdbad8153e265ff8e9526f7dc12cd5e5e7383c25ed0280e187290764898edd7d37f830f423a43a775cd52
      PBKDF2|pbkdf2:sha1:700$FDFBblAtlXouFuKc$2be306e11abf015ac4eaece4dbd7a7358f7e0476
      # passlib 1.7.4
      PBKDF2|$pbkdf2-sha256$1000$nzNmDOFc610r5VxLaY2x1g$gmOlemUBppIdiDmZtsyyAy3a/ocC5/tS1Wdi0M2ovl8
      PBKDF2|$pbkdf2-sha512$900$LcU4Z2xNaQ1BCKEUQoiRMg$1Gk9xC1ciNOJDFyqnvKMTA0CRefCGFxnJHVf2zhPThxNVhi4okt6/6quHAa6EYRyglLYfPvdZ7mk4Y8Uy4cBsw
      PBKDF2|$pbkdf2$1100$6B3DeG/N2bvXupdybi0lxA$F2MhfeHV9SrcHhgAiYsS1jIhLkI
      SCRYPT|$scrypt$ln=10,r=8,p=1$sLY2JqRUyplzzrk3JiQkZA$3ozeVzFfNWI4aLV7TsvWuU51aXOqe1KnbHp/ZqOR4LU
      CRYPT|$5$rounds=1500$6mc0l3vhamrg66Ih$BxVduuvEUc8sSt7Hd8nJYYo1sxSPz5R9SYBJ0qXpXV7
      CRYPT|$5$FzUatcT0OugfFeU.$D/dvoCQ2VCFILlHtq3jVtm.8ZMQdVzbk6MxiJ/obJEA
      CRYPT|$6$rounds=1234$AOB9E0nAY1x..5YU$hoY6FFZ0fFlmVMhreK4gJUK/b/uOaP2FJelL61N983PDZ5bkc99OlHwOqqW407NmLXnMMrmLtJ7R.29.QhXxr0
      CRYPT|{CRYPT}$6$lWOzZQrGCrnWKJTR$btjYJ7IVVSA9c1aEb5ikSeW1NdxuylsW6OMpQEWDrr6isFanG7nx5ODxEKy3b5lzyIjKO7L1qaSPNtu6YrktJ/
      PHPASS|$P$6ph9o9CdPrkiAUzlUClSpNr4f3blgH/
      PHPASS|$H$5uBfmgBd1KiBKHg/GAxSx5KMy0Jhvs/
      SSHA|{SSHA}srwBXxZhhZmo7h7I2ZIkhY/SLchfS2kt
      SSHA|{SSHA256}kqVOWmWywsJo7VqFY7KHn3HLU9YnnSRajIps2hI6ko5mzHlvDUGoVQ==
      SSHA|{SSHA512}k9ob+dtsqC4Ck1wklpFMXcy3JPs6Dq4AMXZNYFbd5aPJxEYK9AkLN02TZP9dDd72z5S/ts9V/RGpvjroVZpB93IOIUTI2ZtT
      # Python 3.11, hashlib and hmac, after Drupal 7 and RFC 5803
      PHPASS|$S$5abcdefghZtnPiM/knrAC0KCCETdp7.GwRfcDKB.DquIZD5FHypA
      SCRAM|SCRAM-SHA-1$4096:MDEyMzQ1Njc4OWFiY2RlZg==$ZcTV6pyd/r9JK8UiqK8SYprZtwM=:4xmTSuCMIKSTdf96/8iTJCUJtPk=
      SCRAM|SCRAM-SHA-256$4096:MDEyMzQ1Njc4OWFiY2RlZg==$L35mlnFA2VWLIMbWtOSHGbOih+fpJxXo6uMDCN08ld4=:eGesWvfzLsHS4dFeZms5DLLQJyqTTMHnid3LXTTwvLU=
      SCRAM|SCRAM-SHA-512$4096:MDEyMzQ1Njc4OWFiY2RlZg==$ucKkxHuC0rnR3oULcGfOvv2+x2AgqF0UHRU7cS2EQ2oBJHq4VxWS617EQtj5zE/MjHcPllv22ni/Lov81Z9+kg==:8u2vnoPndqKXYCy0U3pf2gc4NgdQB0T0std9zbSQm9XCYa4GPE0NLCCfqdAS2RKvaJdtpXR4pUPLh9wyxKgUjw==
      SCRAM|scram:ZcTV6pyd/r9JK8UiqK8SYprZtwM=,4xmTSuCMIKSTdf96/8iTJCUJtPk=,MDEyMzQ1Njc4OWFiY2RlZg==,4096
      SCRAM|{SCRAM-SHA-256}4096,MDEyMzQ1Njc4OWFiY2RlZg==,L35mlnFA2VWLIMbWtOSHGbOih+fpJxXo6uMDCN08ld4=,eGesWvfzLsHS4dFeZms5DLLQJyqTTMHnid3LXTTwvLU=
      """;

  static List<String[]> vectors() {
    return VECTORS
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\\|", 2))
        .toList();
  }

  @Test
  void passwordsOfOtherProgramsAreKnown() throws Exception {
    assertThat(vectors()).hasSizeGreaterThan(30);
    for (String[] vector : vectors()) {
      String text = vector[1];
      assertThat(matches(text, PASSWORD)).as(text).isTrue();
      assertThat(matches(text, PASSWORD + "x")).as(text).isFalse();
      assertThat(matches(text, "x" + PASSWORD)).as(text).isFalse();
      StoredPassword named = StoredPassword.of(Hash.valueOf(vector[0]), text);
      assertThat(named.toString()).as("no hash in a log line").doesNotContain(text.substring(20));
    }
  }

  @Test
  void anotherFormThanTheOneThatIsSetIsRefused() {
    for (String[] vector : vectors()) {
      for (Hash hash : Hash.values()) {
        if (hash != Hash.AUTO && hash != Hash.PLAIN && hash != Hash.valueOf(vector[0])) {
          assertThatThrownBy(() -> StoredPassword.of(hash, vector[1]))
              .isInstanceOf(UnreadableHashException.class)
              .hasMessage("the stored password has another form than " + hash);
        }
      }
    }
  }

  /// OpenSSL 3.0.19 (`openssl passwd`), and the crypt of glibc by Perl.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "$6$abcdefgh$yIZAF3gQPvtKZO/9qOJKffAKKbtS3ef3qmwyugk4uWVjX8YZf/GV3A8SkFxEPY0T56CcilGrHKLffBsp6dLMG.",
        "$5$abcdefgh$ruMep1ijHnJPZbETDNiumskxcX3kN4lzZd5VlsqE7eB",
        "$6$rounds=1000$zz$hcWedV2mFSQv4veXEClWeUAib71472pI6oDcEoyVn3jD/IUN7IBMVITg593obPm4IugYCeMpabtyetMKfD/Sm1",
        "$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2"
      })
  void passwordsOfTheSystemAreKnown(String text) throws Exception {
    assertThat(matches(text, HORSE)).isTrue();
    assertThat(matches(text, HORSE.toUpperCase(Locale.ROOT))).isFalse();
  }

  /// passlib 1.7.4; bytes of the password go through the hash more than once.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "$6$rounds=1000$HPg3nd/7.OmuXgRB$GNyJULGlGqCaz55SKgE12vTBzgofjVnVv2WtZTlMiHrDSgZeHLBXY.vM8BvSlcpzEQ0Bq8zI3s4eGJaV7j.8f1",
        "$5$rounds=1000$HWXqpD5/z79Q.5rH$l4.CbWQOUj0VxOHvW/6LHdcm18Pt.PLstzcmKm7NDs/"
      })
  void aLongPasswordIsTakenWhole(String text) throws Exception {
    assertThat(matches(text, LONG)).isTrue();
    assertThat(matches(text, LONG + "x")).isFalse();
  }

  @Test
  void aPasswordLongerThanBcryptTakesIsAnswered() throws Exception {
    String text = "$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2";
    assertThat(matches(text, "x".repeat(1_024))).isFalse();
  }

  @Test
  void plainTextIsAPasswordOnlyWhereThatIsSet() throws Exception {
    assertThat(StoredPassword.of(Hash.PLAIN, HORSE).matches(HORSE)).isTrue();
    assertThat(StoredPassword.of(Hash.PLAIN, HORSE).matches("correct hors")).isFalse();
    assertThat(StoredPassword.of(Hash.PLAIN, "{PLAIN}" + HORSE).matches(HORSE)).isTrue();
    assertThatThrownBy(() -> StoredPassword.of(Hash.AUTO, HORSE))
        .isInstanceOf(UnreadableHashException.class)
        .hasMessageNotContaining("horse");
  }

  /// Each of them would keep a processor busy for minutes, or take the memory of the server.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$2b$31$7ap8vBzENWM3C.QRlzvt3u/wgTSCssazuSSBvvNjHp6S5RzDYG9aO",
        "$argon2id$v=19$m=4194304,t=1,p=1$cJtbsXX6PpSePqxpZTlhRA$SXPO4tbIRG4u8QoFoQPEIIhVOm6XRKKbVQilD8Rr3eQ",
        "$argon2id$v=19$m=65536,t=999999,p=1$cJtbsXX6PpSePqxpZTlhRA$SXPO4tbIRG4u8QoFoQPEIIhVOm6XRKKbVQilD8Rr3eQ",
        "pbkdf2_sha256$999999999$iX75wuvcxsooZTrSkUjHRV$lljX2RyWzhZzoQfWc5hXmj1ttCOyD5U51uIlnaBUqVY=",
        "scrypt:536870912:8:1$eDPxpGn8l2kdUSGC$83e68002638ddd15a0bbe88c53fb9354",
        "scrypt:32768:8:9999$eDPxpGn8l2kdUSGC$83e68002638ddd15a0bbe88c53fb9354",
        "$scrypt$ln=30,r=8,p=1$sLY2JqRUyplzzrk3JiQkZA$3ozeVzFfNWI4aLV7TsvWuU51aXOqe1KnbHp/ZqOR4LU",
        "$5$rounds=999999999$6mc0l3vhamrg66Ih$BxVduuvEUc8sSt7Hd8nJYYo1sxSPz5R9SYBJ0qXpXV7",
        "$P$zph9o9CdPrkiAUzlUClSpNr4f3blgH/",
        "SCRAM-SHA-1$999999999:MDEyMzQ1Njc4OWFiY2RlZg==$ZcTV6pyd/r9JK8UiqK8SYprZtwM=:4xmTSuCMIKSTdf96/8iTJCUJtPk="
      })
  void whatCostsTooMuchIsNotBegun(String text) {
    assertThatThrownBy(() -> StoredPassword.of(Hash.AUTO, text))
        .isInstanceOf(UnreadableHashException.class)
        .hasMessageContaining("has more");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "!",
        "*",
        "$2b$",
        "$2b$06$",
        "$2b$xx$7ap8vBzENWM3C.QRlzvt3u/wgTSCssazuSSBvvNjHp6S5RzDYG9aO",
        "$2b$03$7ap8vBzENWM3C.QRlzvt3u/wgTSCssazuSSBvvNjHp6S5RzDYG9aO",
        "$argon2id$v=19$m=1024,t=0,p=2$cJtbsXX6PpSePqxpZTlhRA$SXPO4tbIRG4u8QoFoQPEIIhVOm6XRKKbVQilD8Rr3eQ",
        "$argon2id$v=19$m=1,t=1,p=2$cJtbsXX6PpSePqxpZTlhRA$SXPO4tbIRG4u8QoFoQPEIIhVOm6XRKKbVQilD8Rr3eQ",
        "$argon2id$v=19$m=1024,t=2,p=2$cJtbsXX6PpSePqxpZTlhRA$",
        "$argon2",
        "pbkdf2_sha256$0$a$lljX2RyWzhZzoQfWc5hXmj1ttCOyD5U51uIlnaBUqVY=",
        "pbkdf2_sha256$1000$a$",
        "pbkdf2_md5$1000$a$lljX",
        "pbkdf2:sha256:1000$a$abc",
        "scrypt:1000:8:1$a$aa",
        "scrypt:0:8:1$a$aa",
        "scrypt:65536:1:1$a$aa",
        "$scrypt$ln=64,r=8,p=1$sLY2$3oze",
        "$5$",
        "$5$abc$short",
        "$6$rounds=x$abc$def",
        "$P$",
        "$P$6ph9o9CdPrkiAUzlUClSpNr4f3blgH",
        "$P$!ph9o9CdPrkiAUzlUClSpNr4f3blgH/",
        "{SSHA}",
        "{SSHA}AAAA",
        "{SSHA999}AAAA",
        "{SSHA",
        "SCRAM-SHA-1$0:MDEyMzQ1Njc4OWFiY2RlZg==$ZcTV6pyd/r9JK8UiqK8SYprZtwM=:4xmTSuCMIKSTdf96/8iTJCUJtPk=",
        "SCRAM-SHA-256$4096:MDEyMzQ1Njc4OWFiY2RlZg==$ZcTV6pyd/r9JK8UiqK8SYprZtwM=:4xmTSuCMIKSTdf96/8iTJCUJtPk=",
        "SCRAM-SHA-1$4096:MDEyMzQ1Njc4OWFiY2RlZg==$ZcTV6pyd/r9JK8UiqK8SYprZtwM=:",
        "scram:",
        "$1$abcdefgh$irWbblnpmw.5z7wgBnprh0"
      })
  void aDamagedTextIsNoPassword(String text) {
    assertThatThrownBy(() -> matches(text, HORSE))
        .isInstanceOf(UnreadableHashException.class)
        .hasNoCause();
  }

  @Test
  void aHugeTextIsNotRead() {
    assertThatThrownBy(() -> StoredPassword.of(Hash.PLAIN, "x".repeat(1_000_000)))
        .isInstanceOf(UnreadableHashException.class);
  }

  /// The caller interrupts when its time limit is over.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pbkdf2_sha256$5000000$iX75wuvcxsooZTrSkUjHRV$lljX2RyWzhZzoQfWc5hXmj1ttCOyD5U51uIlnaBUqVY=",
        "$5$rounds=2000000$6mc0l3vhamrg66Ih$BxVduuvEUc8sSt7Hd8nJYYo1sxSPz5R9SYBJ0qXpXV7",
        "$P$Iph9o9CdPrkiAUzlUClSpNr4f3blgH/"
      })
  void aCheckThatIsInterruptedEnds(String text) throws Exception {
    StoredPassword stored = StoredPassword.of(Hash.AUTO, text);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> stored.matches(PASSWORD)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
