package im.zonda.web.account;

import static im.zonda.web.account.AccountStage.ALICE;
import static im.zonda.web.account.AccountStage.BOB;
import static im.zonda.web.account.AccountStage.client;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.PasswordLogin.Reason;
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What people who have signed in do: password, devices, export, deletion.
class AccountPagesTest {
  private static final String COOKIE = "__Secure-account";

  private final AccountStage stage = new AccountStage();
  private final Browser alice = stage.signedIn(ALICE);

  // ---- password

  @Test
  void thePasswordIsChangedAndOtherSessionsEnd() {
    Browser other = stage.signedIn(ALICE);
    String before = alice.cookies.get(COOKIE);
    Browser.Answer answer =
        alice.post("/account/password", "old=secret&new=better+one&again=better+one");
    assertThat(answer.header("Location")).isEqualTo("/account/password?done=password");
    assertThat(stage.passwords.passwords).containsEntry(ALICE, "better one");
    assertThat(alice.get("/account/password?done=password").text())
        .contains("Your password has been changed.");
    assertThat(other.get("/account").text()).contains("/account/sign-in");
    Browser replay = stage.browser();
    replay.cookies.put(COOKIE, before);
    assertThat(replay.get("/account").text()).contains("/account/sign-in");
  }

  @ParameterizedTest
  @CsvSource({
    "old=wrong&new=better&again=better, The current password is wrong.",
    "old=secret&new=better&again=butter, The new passwords are not the same.",
    "old=secret&new=&again=, Enter a new password.",
    "old=secret&new=abc&again=abc, This password is too short"
  })
  void aPasswordThatIsRefusedStays(String form, String text) {
    Browser.Answer answer = alice.post("/account/password", form);
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains(text);
    assertThat(stage.passwords.passwords).containsEntry(ALICE, "secret");
    assertThat(alice.get("/account").text()).contains("alice@example.org");
  }

  /// Who has stolen a session cannot guess the password faster than others.
  @Test
  void row41_passwordsAreGuessedNoFasterInASession() {
    stage.passwords.refusal = Reason.TOO_MANY;
    for (String path : new String[] {"/account/password", "/account/delete"}) {
      assertThat(alice.post(path, "old=secret&new=better&again=better&password=secret").text())
          .contains("Too many attempts");
    }
    assertThat(stage.passwords.passwords).containsEntry(ALICE, "secret");
  }

  /// Where clients cannot change the account (XEP-0077), pages cannot either.
  @Test
  void whereAccountsAreManagedElsewhereUsersDoNotChangeThem() {
    AccountStage fixed = new AccountStage(false);
    Browser bob = fixed.signedIn(BOB);
    assertThat(bob.get("/account").text())
        .contains("/account/devices", "/account/export")
        .doesNotContain("/account/password", "/account/delete");
    assertThat(fixed.pages.routes())
        .extracting(HttpRoute::path)
        .contains("/account/devices")
        .doesNotContain("/account/password", "/account/delete");
  }

  // ---- devices

  private void addClients() {
    stage.clients.put(
        ALICE,
        new HashMap<>(
            Map.of("a-1", client("a-1", "<b>Evil</b>\u202e", "\"><img src=x onerror=alert(1)>"))));
    stage.clients.put(BOB, new HashMap<>(Map.of("b-1", client("b-1", "Gajim", "desk"))));
  }

  @Test
  void row92_devicesAreListedAsText() {
    addClients();
    assertThat(alice.get("/account/devices").text())
        .contains("&lt;b&gt;Evil&lt;/b&gt;\ufffd", "&quot;&gt;&lt;img src=x", "November 27, 2026")
        .doesNotContain("<b>Evil", "<img src=x", "Gajim");
    alice.headers.put("accept-language", "de");
    assertThat(alice.get("/account/devices").text())
        .contains("zuletzt gesehen am 27. November 2026");
  }

  @Test
  void aDeviceIsSignedOut() {
    addClients();
    assertThat(alice.post("/account/devices", "id=a-1").header("Location"))
        .isEqualTo("/account/devices?done=device-password");
    assertThat(stage.clients.get(ALICE)).isEmpty();
    assertThat(alice.get("/account/devices").text()).contains("No app is signed in.");
  }

  @Test
  void row94_theDeviceOfAnotherAccountStays() {
    addClients();
    assertThat(alice.post("/account/devices", "id=b-1").header("Location"))
        .isEqualTo("/account/devices?done=device-gone");
    assertThat(alice.post("/account/devices", "id=%00%EF%BF%BE").header("Location"))
        .isEqualTo("/account/devices?done=device-gone");
    assertThat(stage.clients.get(BOB)).hasSize(1);
  }

  @Test
  void whatTheHomeDoesNotAnswerIsSaid() {
    stage.refusal = ErrorCondition.REMOTE_SERVER_TIMEOUT;
    for (String path : new String[] {"/account", "/account/devices"}) {
      Browser.Answer answer = alice.get(path);
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.text()).contains("This is not possible at the moment.");
    }
    assertThat(alice.post("/account/devices", "id=a-1").status()).isEqualTo(503);
  }

  // ---- export

  @Test
  void theDataAreDownloaded() {
    Browser.Answer answer = alice.post("/account/export", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo("<data of='alice@example.org'/>");
    assertThat(answer.header("Content-Type")).isEqualTo("application/xml");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.header("Content-Disposition"))
        .isEqualTo(
            "attachment; filename=\"alice@example.org.xml\";"
                + " filename*=UTF-8''alice%40example.org.xml");
    stage.export.on = false;
    assertThat(alice.get("/account/export").status()).isEqualTo(503);
    assertThat(alice.post("/account/export", "").status()).isEqualTo(503);
  }

  /// The name of an account does not end the header field, and no path is in the name of the file.
  @ParameterizedTest
  @CsvSource({
    "a;filename=evil, a_filename_evil",
    "zürich%0d%0aSet-Cookie=x, z_rich_0d_0aset-cookie_x",
    "..\\2fetc\\2fpasswd, .._2fetc_2fpasswd"
  })
  void row97_theFileNameIsPlain(String local, String name) {
    String field = ExportPage.disposition(Jid.stored(local + "@example.org"));
    assertThat(field)
        .startsWith("attachment; filename=\"" + name + "@example.org.xml\"; filename*=UTF-8''")
        .matches("attachment; filename=\"[^\"\\\\/;%]*\"; filename\\*=UTF-8''[^;\" /\\\\]*");
  }

  @Test
  void row100_oneExportOfAnAccountRunsAtATime() {
    Browser second = stage.signedIn(ALICE);
    Browser bob = stage.signedIn(BOB);
    stage.export.during =
        () -> {
          stage.export.during = null;
          Browser.Answer refused = second.post("/account/export", "");
          assertThat(refused.status()).isEqualTo(503);
          assertThat(refused.text()).contains("Too many downloads");
          assertThat(bob.post("/account/export", "").text()).contains("bob@example.org");
        };
    assertThat(alice.post("/account/export", "").text()).contains("alice@example.org");
    assertThat(second.post("/account/export", "").text()).contains("alice@example.org");
  }

  // ---- deletion

  @Test
  void theAccountIsDeletedWithItsSessions() {
    Browser other = stage.signedIn(ALICE);
    assertThat(alice.get("/account/delete").text())
        .contains("alice@example.org", "your messages on this server", "/account/export");
    Browser.Answer answer = alice.post("/account/delete", "password=secret");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).contains("Your account has been deleted");
    assertThat(stage.accounts.removed).containsExactly(ALICE);
    assertThat(stage.forgotten).containsExactly(ALICE);
    assertThat(alice.cookies).doesNotContainKey(COOKIE);
    assertThat(other.get("/account").text()).contains("/account/sign-in");
    assertThat(stage.values.all(ALICE)).isEmpty();
  }

  @Test
  void withoutThePasswordNothingIsDeleted() {
    assertThat(alice.post("/account/delete", "password=wrong").text())
        .contains("The current password is wrong.");
    assertThat(alice.post("/account/delete", "").text()).contains("The current password is wrong.");
    assertThat(stage.accounts.removed).isEmpty();
    assertThat(stage.forgotten).isEmpty();
  }
}
