package im.zonda.provider.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramProviderTest {
  private static final String DOMAIN = "example.org";

  @TempDir private Path folder;

  static PasswordQuestion password(String local, String password) {
    return new PasswordQuestion(DOMAIN, local, password, null, "PLAIN");
  }

  static Verdict accepted(String local) {
    return new Verdict.Accepted(ProvidedAccount.of(local));
  }

  private static String resource(String name) throws URISyntaxException {
    URL url = Objects.requireNonNull(ProgramProviderTest.class.getResource(name));
    return Path.of(url.toURI()).toString();
  }

  @Test
  void aShellScriptHasAccounts() throws Exception {
    hasAccounts(List.of("/bin/sh", resource("accounts.sh")));
  }

  @Test
  void aPythonScriptHasAccounts() throws Exception {
    String python = "/usr/bin/python3";
    assumeTrue(Files.isExecutable(Path.of(python)));
    hasAccounts(List.of(python, resource("accounts.py")));
  }

  private void hasAccounts(List<String> command) throws Exception {
    try (ProgramProvider provider = new Scripts(folder).start(2, command)) {
      assertThat(provider.checkPassword(password("juliet", "a:b c"))).isEqualTo(accepted("juliet"));
      assertThat(provider.checkPassword(password("жюли", "né"))).isEqualTo(accepted("жюли"));
      assertThat(provider.checkPassword(password("juliet", "a:b")))
          .isInstanceOf(Verdict.Wrong.class);
      assertThat(provider.checkPassword(password("romeo", "a:b c"))).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.find(DOMAIN, "juliet")).isEqualTo(accepted("juliet"));
      assertThat(provider.find(DOMAIN, "romeo")).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.find("example.com", "juliet")).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.setPassword(DOMAIN, "juliet", "new")).isTrue();
      assertThat(provider.setPassword(DOMAIN, "romeo", "new")).isFalse();
      assertThat(provider.abilities())
          .containsExactlyInAnyOrder(Ability.PASSWORD, Ability.FIND, Ability.SET_PASSWORD);
    }
  }

  @Test
  void aTestLoginHasSteps() throws Exception {
    try (ProgramProvider provider =
        new Scripts(folder).start(1, List.of("/bin/sh", resource("accounts.sh")))) {
      List<TestStep> steps = provider.test(password("juliet", "wrong"));
      assertThat(steps).extracting(TestStep::name).containsExactly("start", "isuser", "auth");
      assertThat(steps).extracting(TestStep::ok).containsExactly(true, true, false);
      assertThat(steps.getLast().text()).isEqualTo("no");
    }
  }

  @Test
  void aTestLoginSaysThatTheProgramHasEnded() throws Exception {
    try (ProgramProvider provider = new Scripts(folder).start(1, "exit 3")) {
      List<TestStep> steps = provider.test(password("juliet", "a"));
      assertThat(steps).extracting(TestStep::name).containsExactly("start", "isuser");
      assertThat(steps.getLast().text()).startsWith(Answer.ENDED.text());
    }
    try (ProgramProvider provider = new Scripts(folder).start(1, List.of("/nowhere/at/all"))) {
      List<TestStep> steps = provider.test(password("juliet", "a"));
      assertThat(steps).extracting(TestStep::ok).containsExactly(false);
      assertThat(steps.getLast().text()).contains("No such file");
    }
  }

  @Test
  void theProgramHasNoOtherVariables() throws Exception {
    String script =
        """
        question
        env | grep -v -e ^PWD= -e ^OLDPWD= -e ^_= -e ^SHLVL= | sort > $DIR/environment
        yes
        sleep 100
        """;
    Scripts scripts = new Scripts(folder);
    try (ProgramProvider provider = scripts.start(1, script)) {
      assertThat(provider.find(DOMAIN, "juliet")).isEqualTo(accepted("juliet"));
    }
    assertThat(scripts.lines("environment")).containsExactly("DIR=" + folder, "WORD=a=b c");
  }

  @Test
  void theNextProcessIsAskedIfOneDoesNotRun() throws Exception {
    String script =
        """
        if mkdir $DIR/first 2>/dev/null; then question; exit 1; fi
        while question; do yes; done
        """;
    try (ProgramProvider provider = new Scripts(folder).start(2, script)) {
      for (int i = 0; i < 4; i++) {
        assertThat(provider.find(DOMAIN, "juliet")).isEqualTo(accepted("juliet"));
      }
    }
  }

  @Test
  void anOutageIsNoAnswer() {
    try (ProgramProvider provider = new Scripts(folder).start(1, List.of("/nowhere/at/all"))) {
      assertThatThrownBy(() -> provider.find(DOMAIN, "juliet"))
          .isInstanceOf(ProviderException.class)
          .hasMessage(Answer.AWAY.text());
    }
  }

  @Test
  void namesThatCannotBeAskedForAreUnknown() throws Exception {
    try (ProgramProvider provider = new Scripts(folder).start(1, "while question; do yes; done")) {
      for (String name : List.of("a:example.org", "a\nb", "a\0b")) {
        assertThat(provider.checkPassword(password(name, "x"))).isEqualTo(Verdict.UNKNOWN);
        assertThat(provider.find(DOMAIN, name)).isEqualTo(Verdict.UNKNOWN);
        assertThat(provider.setPassword(DOMAIN, name, "x")).isFalse();
      }
      String huge = "x".repeat(Questions.MOST_BYTES);
      assertThat(provider.checkPassword(password("juliet", huge))).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.checkPassword(password("juliet", ""))).isEqualTo(Verdict.UNKNOWN);
      assertThat(provider.setPassword(DOMAIN, "juliet", "")).isFalse();
      assertThat(provider.find(DOMAIN, "juliet")).isEqualTo(accepted("juliet"));
    }
  }
}
