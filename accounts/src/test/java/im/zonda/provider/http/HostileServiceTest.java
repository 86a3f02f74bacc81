package im.zonda.provider.http;

import static im.zonda.provider.http.HttpProviderTest.password;
import static im.zonda.provider.http.HttpProviderTest.provider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.HttpAccounts;
import im.zonda.config.accounts.HttpAccounts.Style;
import im.zonda.provider.http.FakeService.Reply;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.database.TestAuthority;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Services that do what they should not.
@Timeout(300)
class HostileServiceTest {
  private static final String DOMAIN = "example.org";
  private static final String SECRET_WORD = "s3cr3t";
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
  private static final String YES = HEAD + "16\r\n\r\n{\"result\":\"yes\"}";

  /// Fails without the password, the reason for it in words.
  private static AbstractThrowableAssert<?, ?> assertFails(AccountProvider provider) {
    return assertThatThrownBy(() -> provider.checkPassword(password(SECRET_WORD)))
        .isInstanceOf(ProviderException.class)
        .hasMessageNotContaining(SECRET_WORD)
        .hasNoCause();
  }

  private static AbstractThrowableAssert<?, ?> assertFails(Reply reply) throws Exception {
    try (FakeService service = FakeService.start(_ -> reply);
        AccountProvider provider = provider(service.url())) {
      return assertFails(provider);
    }
  }

  private static AccountProvider of(
      String url, Style style, @Nullable Path authorities, Duration limit)
      throws ProviderException {
    return HttpProvider.of(
        "shop",
        new HttpAccounts(url, null, authorities, style, false),
        InstantSource.fixed(Instant.EPOCH),
        limit);
  }

  @Test
  void otherAnswersAreErrors() throws Exception {
    for (String text :
        List.of(
            "",
            "yes",
            "[]",
            "null",
            "{",
            "{}",
            "{\"result\":true}",
            "{\"result\":\"YES\"}",
            "{\"result\":\"no\",\"result\":\"yes\"}",
            "{\"result\":\"yes\"}{\"result\":\"yes\"}",
            "{\"result\":\"yes\",}",
            "{'result':'yes'}",
            "{\"result\":\"yes\",\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}",
            SECRET_WORD)) {
      assertFails(Reply.json(text));
    }
    byte[] latin = "{\"result\":\"yes\",\"a\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertFails(new Reply(200, "application/json", latin)).hasMessageContaining("UTF-8");
  }

  @Test
  void otherTypesAndStatusesAreErrors() throws Exception {
    byte[] yes = "{\"result\":\"yes\"}".getBytes(StandardCharsets.UTF_8);
    for (String type : List.of("text/html", "application/jsonp", "text/json")) {
      assertFails(new Reply(200, type, yes)).hasMessageContaining("Content-Type");
    }
    for (int status : List.of(201, 400, 401, 404, 500, 503)) {
      assertFails(new Reply(status, "application/json", yes))
          .hasMessageContaining(Integer.toString(status));
    }
    try (FakeService service =
            FakeService.start(_ -> new Reply(200, "Application/JSON; charset=utf-8", yes));
        AccountProvider provider = provider(service.url())) {
      assertThat(provider.checkPassword(password("x"))).isInstanceOf(Verdict.Accepted.class);
    }
  }

  @Test
  void redirectsAreNotFollowed() throws Exception {
    try (FakeService other = FakeService.start(_ -> Reply.json("{\"result\":\"yes\"}"))) {
      for (int status : List.of(301, 302, 303, 307, 308)) {
        try (FakeService service = FakeService.redirecting(status, other.url());
            AccountProvider zonda = provider(service.url());
            AccountProvider mongoose =
                of(service.url(), Style.MONGOOSEIM, null, HttpProvider.LIMIT)) {
          assertFails(zonda).hasMessageContaining("redirects are not followed");
          assertFails(mongoose).hasMessageContaining(Integer.toString(status));
        }
      }
      assertThat(other.waiting()).isZero();
    }
  }

  @Test
  void longAnswersAreCut() throws Exception {
    String long_ = "x".repeat(JsonQuestions.MOST_BYTES);
    assertFails(Reply.json("{\"result\":\"yes\",\"a\":\"" + long_ + "\"}"))
        .hasMessageContaining("more than 262144 bytes");
    String chunk = "10000\r\n" + " ".repeat(65_536) + "\r\n";
    try (RawService service =
            new RawService(
                List.of(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + chunk.repeat(5)
                        + RawService.STAYS));
        AccountProvider provider = provider(service.url())) {
      assertFails(provider).hasMessageContaining("more than 262144 bytes");
    }
  }

  @Test
  void aConnectionThatFailsIsTriedOnceMoreWithTheSameKey() throws Exception {
    try (RawService service = new RawService(List.of("", YES));
        AccountProvider provider = provider(service.url())) {
      assertThat(provider.checkPassword(password("x"))).isInstanceOf(Verdict.Accepted.class);
      assertThat(service.requests()).hasSize(2);
      assertThat(service.requests())
          .extracting(each -> line(each, "idempotency-key"))
          .hasSize(2)
          .containsOnly(line(service.requests().getFirst(), "idempotency-key"));
      assertThat(line(service.requests().getFirst(), "idempotency-key")).isNotEmpty();
    }
    try (RawService service = new RawService(List.of("", "", YES));
        AccountProvider provider = provider(service.url())) {
      assertFails(provider).hasMessageContaining("without an answer");
      assertThat(service.requests()).hasSize(2);
    }
  }

  private static String line(String request, String name) {
    return request
        .lines()
        .filter(each -> each.toLowerCase(java.util.Locale.ROOT).startsWith(name + ":"))
        .findFirst()
        .orElse("");
  }

  @Test
  void anAnswerThatIsCutOffIsNotAskedForAgain() throws Exception {
    for (String answer : List.of(HEAD + "16\r\n\r\n{\"result\":\"y", HEAD + "300\r\n\r\n{}")) {
      try (RawService service = new RawService(List.of(answer, YES));
          AccountProvider provider = provider(service.url())) {
        assertFails(provider).hasMessageContaining("has not ended");
        assertThat(service.requests()).hasSize(1);
      }
    }
  }

  @Test
  void aSlowServiceIsNotWaitedFor() throws Exception {
    for (String answer :
        List.of(
            RawService.STAYS,
            "HTTP/1.1 200 OK\r\nContent-" + RawService.STAYS,
            HEAD + "16\r\n\r\n{\"result\":" + RawService.STAYS)) {
      try (RawService service = new RawService(List.of(answer, YES));
          AccountProvider provider = of(service.url(), Style.ZONDA, null, Duration.ofMillis(300))) {
        assertFails(provider).hasMessageContaining("in time");
        assertThat(service.requests()).as("it is not asked again").hasSizeLessThan(2);
      }
    }
  }

  @Test
  void aQuestionCanBeInterrupted() throws Exception {
    try (RawService service = new RawService(List.of(RawService.STAYS));
        AccountProvider provider = of(service.url(), Style.ZONDA, null, Duration.ofMinutes(10))) {
      FutureTask<Verdict> question =
          new FutureTask<>(() -> provider.checkPassword(password(SECRET_WORD)));
      Thread asking = Thread.ofVirtual().start(question);
      Eventually.await("it is asked", () -> !service.requests().isEmpty());
      asking.interrupt();
      assertThatThrownBy(question::get).hasCauseInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void aQuestionFailsWhenTheProviderIsClosed() throws Exception {
    try (RawService service = new RawService(List.of(RawService.STAYS))) {
      AccountProvider provider = of(service.url(), Style.ZONDA, null, Duration.ofMinutes(10));
      FutureTask<Verdict> question =
          new FutureTask<>(() -> provider.checkPassword(password(SECRET_WORD)));
      Thread.ofVirtual().start(question);
      Eventually.await("it is asked", () -> !service.requests().isEmpty());
      provider.close();
      assertThatThrownBy(question::get).hasCauseInstanceOf(ProviderException.class);
      assertFails(provider);
    }
  }

  @Test
  void aServiceThatIsGoneIsAnOutage() throws Exception {
    String url;
    try (FakeService service = FakeService.start(_ -> Reply.json("{}"))) {
      url = service.url();
    }
    try (AccountProvider provider = provider(url)) {
      assertFails(provider).hasMessageContaining("cannot be reached");
    }
  }

  @Test
  void withoutTlsTheServiceIsOnThisMachine() throws Exception {
    for (String host : List.of("192.0.2.1", "[2001:db8::1]", "0.0.0.0", "[::ffff:192.0.2.1]")) {
      try (AccountProvider provider = provider("http://" + host + ":15900/")) {
        assertFails(provider).hasMessageContaining("on this machine only");
      }
    }
    try (FakeService service = FakeService.start(_ -> Reply.json("{\"result\":\"yes\"}"));
        AccountProvider provider = provider("http://localhost:" + service.port() + "/a")) {
      assertThat(provider.find(DOMAIN, "juliet")).isInstanceOf(Verdict.Accepted.class);
      assertThat(service.next().header("Host")).isEqualTo("127.0.0.1:" + service.port());
    }
  }

  @Test
  void anotherCertificateIsNotTrusted(@TempDir Path folder) throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    TestAuthority authority = TestAuthority.create(folder);
    TestAuthority stranger = TestAuthority.create(other);
    TestAuthority wrongName = TestAuthority.issue(folder, "mail", List.of("mail.example.org"));
    for (TestAuthority certificate : List.of(stranger, wrongName)) {
      try (FakeService service =
              FakeService.start(certificate, _ -> Reply.json("{\"result\":\"yes\"}"));
          AccountProvider provider =
              of(
                  "https://localhost:" + service.port(),
                  Style.ZONDA,
                  authority.authority(),
                  HttpProvider.LIMIT)) {
        assertFails(provider).hasMessageContaining("TLS");
        assertThat(provider.test(password("x")).getLast().ok()).isFalse();
        assertThat(service.waiting()).isZero();
      }
    }
    try (FakeService service =
            FakeService.start(authority, _ -> Reply.json("{\"result\":\"yes\"}"));
        AccountProvider provider =
            of("https://localhost:" + service.port(), Style.ZONDA, null, HttpProvider.LIMIT)) {
      assertFails(provider).hasMessageContaining("TLS");
    }
  }
}
