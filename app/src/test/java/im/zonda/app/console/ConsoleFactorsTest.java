package im.zonda.app.console;

import static im.zonda.app.console.RunningConsole.status;
import static im.zonda.app.console.RunningConsole.token;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Outcome;
import im.zonda.operation.Role;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.TestServer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Second factors at a whole server, and ways around them.
class ConsoleFactorsTest {
  private static final String ADMIN = RunningConsole.ADMIN;
  private static final String OTHER = "other@own.example";
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final Pattern SECRET = Pattern.compile("<code>([A-Z2-7 ]{39})</code>");
  private static final Pattern RECOVERY = Pattern.compile("<code>([A-Z2-7]{4}(-[A-Z2-7]{4}){3})<");

  private RunningConsole running;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    running = new RunningConsole(folder);
    running.server.accounts(List.of(ADMIN, OTHER, "bob@own.example"));
    appoint();
  }

  private void appoint() {
    Map<String, Object> appointed =
        Map.of("host", RunningConsole.HOST, "administrators", List.of(ADMIN, OTHER));
    assertThat(running.operations.run(Caller.owner("test"), "administrator.set", appointed))
        .isInstanceOf(Outcome.Done.class);
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private static String field(String page, String name) {
    return found(Pattern.compile("name=\"" + name + "\" value=\"([^\"]+)\""), page);
  }

  private static String found(Pattern pattern, String page) {
    Matcher matcher = pattern.matcher(page);
    assertThat(matcher.find()).as(page).isTrue();
    return matcher.group(1);
  }

  /// The code that an app shows now.
  private String code(String secret) throws Exception {
    BigInteger bits = BigInteger.ZERO;
    String plain = secret.replace(" ", "");
    for (int i = 0; i < plain.length(); i++) {
      bits = bits.shiftLeft(5).or(BigInteger.valueOf(ALPHABET.indexOf(plain.charAt(i))));
    }
    byte[] key = bits.toByteArray();
    byte[] last = new byte[20];
    int length = Math.min(20, key.length);
    System.arraycopy(key, key.length - length, last, 20 - length, length);
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(last, "HmacSHA1"));
    long step = running.clock.instant().getEpochSecond() / 30;
    byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(step).array());
    int number = ByteBuffer.wrap(hash).getInt(hash[19] & 15) & Integer.MAX_VALUE;
    return String.valueOf(1_000_000 + number % 1_000_000).substring(1);
  }

  private RunningConsole.Window admin() throws Exception {
    RunningConsole.Window window = running.window();
    assertThat(window.signIn(ADMIN, TestServer.PASSWORD)).contains("303 ");
    return window;
  }

  private static String post(RunningConsole.Window window, String action, String... fields)
      throws Exception {
    List<String> form = new ArrayList<>(List.of("token", token(window.get("/admin/security"))));
    form.addAll(Arrays.asList(fields));
    return window.post("/admin/security/" + action, form);
  }

  /// Sets up codes; returns the secret that the app has, and the page that was shown at last.
  private List<String> begin(RunningConsole.Window window) throws Exception {
    String page = post(window, "begin");
    String secret = found(SECRET, page);
    String done =
        post(window, "confirm", "enrolment", field(page, "enrolment"), "code", code(secret));
    assertThat(done).contains("200 ", "a password alone does not sign in");
    running.clock.advance(Duration.ofSeconds(30));
    return List.of(secret, done);
  }

  private static String second(RunningConsole.Window window, String page, String code)
      throws Exception {
    return window.post(
        "/admin/sign-in/code",
        List.of("token", token(page), "pending", field(page, "pending"), "code", code));
  }

  @Test
  void thePasswordAloneSignsNobodyIn() throws Exception {
    String secret = begin(admin()).getFirst();
    RunningConsole.Window window = running.window();
    String page = window.signIn(ADMIN, TestServer.PASSWORD);
    assertThat(page).contains("200 ", "Second step");
    assertThat(window.session()).isNull();
    assertThat(status(window.get("/admin/people"))).isEqualTo(303);
    assertThat(second(window, page, "")).contains("422 ");
    assertThat(second(window, page, code(secret))).contains("303 ");
    assertThat(status(window.get("/admin/people"))).isEqualTo(200);
  }

  /// What the first step has proved is of use to one browser, for five minutes, while the password
  /// is the same.
  @Test
  void theFirstStepBelongsToOneBrowser() throws Exception {
    String secret = begin(admin()).getFirst();
    RunningConsole.Window window = running.window();
    String page = window.signIn(ADMIN, TestServer.PASSWORD);
    RunningConsole.Window thief = running.window();
    String own = thief.get("/admin/sign-in");
    String stolen =
        thief.post(
            "/admin/sign-in/code",
            List.of("token", token(own), "pending", field(page, "pending"), "code", code(secret)));
    assertThat(stolen).contains("422 ", "too old");
    for (String forged : List.of("", "AAAA", "?", "A".repeat(4_000))) {
      assertThat(
              thief.post(
                  "/admin/sign-in/code",
                  List.of("token", token(own), "pending", forged, "code", code(secret))))
          .contains("422 ", "too old");
    }
    assertThat(thief.session()).isNull();
    running.clock.advance(Duration.ofMinutes(5));
    assertThat(second(window, page, code(secret))).contains("422 ", "too old");
    String again = window.signIn(ADMIN, TestServer.PASSWORD);
    Map<String, String> changed = Map.of("account", ADMIN, "password", "another password 1");
    assertThat(running.operations.run(Caller.owner("test"), "account.password", changed))
        .isInstanceOf(Outcome.Done.class);
    assertThat(second(window, again, code(secret))).contains("422 ", "too old");
    assertThat(window.session()).isNull();
  }

  @Test
  void codesAreNotGuessed() throws Exception {
    String secret = begin(admin()).getFirst();
    RunningConsole.Window window = running.window();
    String page = window.signIn(ADMIN, TestServer.PASSWORD);
    for (int i = 0; i < 5; i++) {
      page = second(window, page, "00000" + (char) ('a' + i));
      assertThat(page).contains("422 ", "This code is wrong");
    }
    assertThat(second(window, page, code(secret))).contains("422 ", "Too many wrong codes");
    running.clock.advance(Duration.ofMinutes(15));
    String later = window.signIn(ADMIN, TestServer.PASSWORD);
    assertThat(second(window, later, code(secret))).contains("303 ");
  }

  @Test
  void aRecoveryCodeSignsInOnce() throws Exception {
    String code = found(RECOVERY, begin(admin()).getLast());
    for (int i = 0; i < 2; i++) {
      RunningConsole.Window window = running.window();
      String page = window.signIn(ADMIN, TestServer.PASSWORD);
      assertThat(second(window, page, code)).contains(i == 0 ? "303 " : "422 ");
    }
  }

  /// A hijacker of a session has no code.
  @Test
  void aSessionAloneChangesNoFactor() throws Exception {
    RunningConsole.Window taken = admin();
    String secret = begin(taken).getFirst();
    for (String action : List.of("end", "recovery", "begin")) {
      assertThat(post(taken, action, "code", "1")).as(action).contains("422 ");
    }
    assertThat(post(taken, "passkey", "label", "mine", "id", "AAAA", "client", "AAAA"))
        .contains("422 ");
    assertThat(status(taken.run("admin.reset-factor", "account", ADMIN, "confirmed", "yes")))
        .isEqualTo(403);
    for (Caller.Via via : List.of(Caller.Via.ADHOC, Caller.Via.API, Caller.Via.CONSOLE)) {
      Caller self =
          new Caller(ADMIN, via, null, new Grant(Role.HOST_ADMIN, Set.of("own.example"), null));
      assertThat(running.operations.run(self, "admin.reset-factor", Map.of("account", ADMIN)))
          .as(via.name())
          .isInstanceOf(Outcome.Refused.class);
    }
    RunningConsole.Window window = running.window();
    running.clock.advance(Duration.ofMinutes(15));
    String page = window.signIn(ADMIN, TestServer.PASSWORD);
    assertThat(page).contains("Second step");
    assertThat(second(window, page, code(secret))).contains("303 ");
    running.clock.advance(Duration.ofSeconds(30));
    assertThat(post(window, "end", "code", code(secret))).contains("200 ");
    assertThat(running.window().signIn(ADMIN, TestServer.PASSWORD)).contains("303 ");
  }

  /// Another administrator removes what is lost, and it is in the audit; one of another host does
  /// not.
  @Test
  void anotherAdministratorRemovesThem() throws Exception {
    RunningConsole.Window admin = admin();
    begin(admin);
    Caller elsewhere =
        new Caller(
            "eve@other.example",
            Caller.Via.CONSOLE,
            null,
            new Grant(Role.HOST_ADMIN, Set.of("other.example"), null));
    assertThat(running.operations.run(elsewhere, "admin.reset-factor", Map.of("account", ADMIN)))
        .isInstanceOf(Outcome.Refused.class);
    RunningConsole.Window other = running.window();
    assertThat(other.signIn(OTHER, TestServer.PASSWORD)).contains("303 ");
    assertThat(other.get("/admin/do/admin.factors?account=" + ADMIN)).contains("10");
    assertThat(status(other.run("admin.reset-factor", "account", ADMIN))).isEqualTo(422);
    assertThat(status(other.run("admin.reset-factor", "account", ADMIN, "confirmed", "yes")))
        .isEqualTo(303);
    assertThat(running.window().signIn(ADMIN, TestServer.PASSWORD)).contains("303 ");
    String audit = running.signedIn("root", Grant.ALL).get("/admin/audit");
    assertThat(audit).contains("admin.reset-factor", OTHER, "admin.own-factors", "begun");
  }

  /// Once there is a second factor, what was signed in without it has ended.
  @Test
  void otherSessionsEnd() throws Exception {
    RunningConsole.Window before = admin();
    RunningConsole.Window other = running.window();
    assertThat(other.signIn(OTHER, TestServer.PASSWORD)).contains("303 ");
    RunningConsole.Window window = admin();
    begin(window);
    assertThat(status(before.get("/admin/people"))).isEqualTo(303);
    assertThat(status(window.get("/admin/people"))).isEqualTo(200);
    assertThat(status(other.get("/admin/people"))).isEqualTo(200);
  }

  /// A new account of the same name has nothing of the old one.
  @Test
  void theyEndWithTheAccount() throws Exception {
    begin(admin());
    Caller owner = Caller.owner("test");
    Map<String, String> account = Map.of("account", ADMIN);
    assertThat(running.operations.run(owner, "admin.factors", account).toString())
        .contains("needed=true", "recoveryCodes=10");
    assertThat(running.operations.run(owner, "account.remove", account))
        .isInstanceOf(Outcome.Done.class);
    Eventually.await(
        "the factors to be removed",
        () ->
            running
                .operations
                .run(owner, "admin.factors", account)
                .toString()
                .contains("needed=false, codesSince=null, recoveryCodes=0"));
  }

  @Test
  void theBearerOfALinkHasNone() throws Exception {
    RunningConsole.Window root = running.signedIn("root", Grant.ALL);
    assertThat(root.get("/admin/security")).contains("200 ", "signed in by a one-time link");
    for (String action : List.of("begin", "confirm", "end", "recovery", "passkey", "remove", "x")) {
      assertThat(status(post(root, action))).as(action).isEqualTo(404);
    }
    assertThat(status(root.post("/admin/security/begin", List.of("token", "0")))).isEqualTo(403);
  }

  /// What is no passkey signs nobody in, and nothing is kept of it.
  @Test
  void whatIsNoPasskeySignsNobodyIn() throws Exception {
    RunningConsole.Window window = running.window();
    String page = window.get("/admin/sign-in");
    String challenge = Objects.requireNonNull(field(page, "challenge"));
    for (String junk : List.of("", "AAAA", "?", "A".repeat(1_000))) {
      String answer =
          window.post(
              "/admin/sign-in/passkey",
              List.of(
                  "token",
                  token(page),
                  "challenge",
                  challenge,
                  "id",
                  junk,
                  "client",
                  junk,
                  "data",
                  junk,
                  "signature",
                  junk));
      assertThat(status(answer)).isEqualTo(422);
    }
    assertThat(window.session()).isNull();
    assertThat(status(window.post("/admin/sign-in/passkey", List.of("id", "AAAA")))).isEqualTo(422);
    assertThat(window.get("/admin/sign-in", "Host: 127.0.0.1:5280")).doesNotContain("data-passkey");
  }
}
