package im.zonda.provider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.HttpAccounts;
import im.zonda.config.accounts.HttpAccounts.Style;
import im.zonda.provider.http.FakeService.Received;
import im.zonda.provider.http.FakeService.Reply;
import im.zonda.store.ScramKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class MongooseImProviderTest {
  private static final String DOMAIN = "example.org";

  /// Keys of the password "padthai", as MongooseIM's documentation has them.
  private static final String PADTHAI =
      "==MULTI_SCRAM==,4096,"
          + "===SHA1===QClQsw/sfPEnwj4AEp6E1w==|ys1104hRhqMoRputBY5sLHKXoSw=|"
          + "EJvxXWM42tO7BgW21lNZyBc1dD0=,"
          + "==SHA224==dk0ImXFVPoUfqD5FveV7YA==|G0ibQ/YYuCtoun4I+1IF2zJ7Q8x2T23ETnq5Gg==|"
          + "EvE2EkZcUb3k4CooeOcVFy95P32t+NDX0xbQUA==,"
          + "==SHA256==M7BYKSo04XbzBr4C7b056g==|A779MC05nSGQln5no0hKTGHFSaQ7oguKBZgORW3s+es=|"
          + "XhtGFf6NDWsnVSCO4xkzPD3qc046fPL0pATZi7RmaWo=";

  /// Keys of the password "misio" in the form of old versions.
  private static final String MISIO =
      "==SCRAM==,tmi5IE+9pceRV/jkPLFHEaVY33c=,MiWNa8T3dniVDwmh77ufJ41fpAQ=,"
          + "inKXODlSY5y5SCsLxibi0w==,4096";

  private static PasswordQuestion password(String local, String password) {
    return new PasswordQuestion(DOMAIN, local, password, null, "PLAIN");
  }

  private static AccountProvider provider(FakeService service, boolean scram)
      throws ProviderException {
    HttpAccounts settings =
        new HttpAccounts(service.url() + "/", "chat:open sesame", null, Style.MONGOOSEIM, scram);
    return HttpProvider.of("shop", settings, InstantSource.fixed(Instant.EPOCH));
  }

  /// Answers as a service with one account.
  private static Reply answer(Received request) {
    String query = "?user=j%C3%BCl+i%26et&server=example.org&pass=";
    return switch (request.target()) {
      case String target when target.equals("/accounts/check_password" + query + "a+%26b%3D%25") ->
          Reply.text(200, "true");
      case String target when target.equals("/accounts/user_exists" + query) ->
          Reply.text(200, "true");
      case String target when target.startsWith("/accounts/user_exists?user=nobody&") ->
          Reply.text(404, "");
      case String target when target.contains("user=broken&") -> Reply.text(500, "");
      case String target when target.contains("user=odd&") -> Reply.text(200, "TRUE");
      default -> Reply.text(200, "false");
    };
  }

  @Test
  void passwordsAreCheckedByTheService() throws Exception {
    try (FakeService service = FakeService.start(MongooseImProviderTest::answer);
        AccountProvider provider = provider(service, false)) {
      assertThat(provider.abilities()).isEqualTo(Set.of(Ability.PASSWORD, Ability.FIND));
      assertThat(provider.checkPassword(password("jül i&et", "a &b=%")))
          .isInstanceOf(Verdict.Accepted.class);
      assertThat(service.next().header("Authorization"))
          .isEqualTo("Basic Y2hhdDpvcGVuIHNlc2FtZQ==");
      assertThat(provider.checkPassword(password("jül i&et", "a")))
          .isInstanceOf(Verdict.Wrong.class);
      assertThat(provider.checkPassword(password("nobody", "a"))).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.find(DOMAIN, "jül i&et")).isInstanceOf(Verdict.Accepted.class);
      assertThat(provider.find(DOMAIN, "nobody")).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.keys(DOMAIN, "jül i&et")).isEmpty();
      for (String local : List.of("broken", "odd")) {
        assertThatThrownBy(() -> provider.checkPassword(password(local, "a")))
            .isInstanceOf(ProviderException.class);
        assertThatThrownBy(() -> provider.find(DOMAIN, local))
            .isInstanceOf(ProviderException.class);
      }
    }
  }

  @Test
  void passwordsAreCheckedByKeys() throws Exception {
    Map<String, String> keys = Map.of("padthai", PADTHAI, "misio", MISIO);
    try (FakeService service =
            FakeService.start(request -> {
              String local = request.target().replaceAll(".*user=([^&]*)&.*", "$1");
              String found = keys.get(local);
              return found == null ? Reply.text(404, "") : Reply.text(200, found);
            });
        AccountProvider provider = provider(service, true)) {
      assertThat(provider.abilities())
          .isEqualTo(Set.of(Ability.PASSWORD, Ability.FIND, Ability.SCRAM_KEYS));
      for (String word : keys.keySet()) {
        assertThat(provider.checkPassword(password(word, word)))
            .isInstanceOf(Verdict.Accepted.class);
        assertThat(provider.checkPassword(password(word, "wrong")))
            .isInstanceOf(Verdict.Wrong.class);
        Received request = service.next();
        assertThat(request.target())
            .isEqualTo("/accounts/get_password?user=" + word + "&server=example.org&pass=");
        service.next();
      }
      assertThat(provider.checkPassword(password("nobody", "a"))).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.keys(DOMAIN, "padthai"))
          .extracting(ScramKeys::hash)
          .containsExactly("SHA-1", "SHA-256");
      assertThat(provider.keys(DOMAIN, "misio"))
          .extracting(ScramKeys::hash)
          .containsExactly("SHA-1");
    }
  }

  @Test
  void eachHashIsCheckedByItsKeys() throws Exception {
    for (ScramKeys each : SerializedKeys.read(PADTHAI)) {
      assertThat(SerializedKeys.match(List.of(each), "padthai")).as(each.hash()).isTrue();
      assertThat(SerializedKeys.match(List.of(each), "padtha")).as(each.hash()).isFalse();
    }
  }

  @Test
  void keysOfAnotherFormAreErrorsWithoutTheAnswer() {
    for (String text :
        List.of(
            "",
            "secret",
            "==SCRAM==,",
            MISIO.replace(",4096", ""),
            MISIO.replace("4096", "0"),
            MISIO.replace("4096", "-4096"),
            MISIO.replace("4096", "99999999999"),
            MISIO + ",x",
            "==MULTI_SCRAM==,4096",
            "==MULTI_SCRAM==,4096,",
            "==MULTI_SCRAM==,4096,==SHA224==c2FsdA==|c2VjcmV0|c2VjcmV0",
            PADTHAI.replace("===SHA1===QClQ", "===SHA1===!!!!"),
            PADTHAI.replace("|ys11", "|"),
            PADTHAI.replace("|", ""))) {
      assertThatThrownBy(() -> SerializedKeys.read(text))
          .as(text)
          .isInstanceOf(ProviderException.class)
          .hasNoCause()
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void passwordsInAddressesAreWarnedOf() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(MongooseImProvider.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try (FakeService service = FakeService.start(MongooseImProviderTest::answer)) {
      provider(service, true).close();
      assertThat(log.list).as("none are sent").isEmpty();
      provider(service, false).close();
      assertThat(log.list)
          .extracting(ILoggingEvent::getMessage)
          .containsExactly("accounts_http_password_in_address");
    } finally {
      logger.detachAppender(log);
    }
  }
}
