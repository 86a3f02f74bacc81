package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import im.zonda.account.PasswordProblem;
import im.zonda.jid.Jid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordRulesTest {
  private static final Jid ACCOUNT = Jid.of("leontine@example.org");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Calliope",
        "the rose garden",
        "horse battery",
        "kitchen 7 window",
        "9472058361dragon84720",
        "\u4e2d\u6587\u5bc6\u7801\u5f88\u957f\u7684\u5427",
        "# Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc."
      })
  void whatIsHardToGuessIsAllowed(String password) {
    assertThatCode(() -> new PasswordRules(8).check(ACCOUNT, password)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|EMPTY",
        "seven77|TOO_SHORT",
        "\ud83d\ude00\ud83d\ude01\ud83d\ude02\ud83d\ude03\ud83d\ude04|TOO_SHORT",
        "password|COMMON",
        "PassWord|COMMON",
        "12345678|COMMON",
        "qwertyuiop|COMMON",
        "dragon2026!|COMMON",
        "!!sunshine|COMMON",
        "zzzzzzzzzzzz|COMMON",
        "xyxyxyxyxy|COMMON",
        "Leontine|NAME",
        "leontine2026|NAME",
        "leontine@example.org|NAME"
      })
  void whatIsEasyToGuessIsRefused(String password, PasswordProblem problem) {
    assertThatExceptionOfType(PasswordException.class)
        .isThrownBy(() -> new PasswordRules(8).check(ACCOUNT, password))
        .matches(e -> e.problem() == problem);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "6, true", "7, false"})
  void theLengthIsTheHosts(int length, boolean allowed) {
    PasswordRules rules = new PasswordRules(length);
    if (allowed) {
      assertThatCode(() -> rules.check(ACCOUNT, "x9+k/q")).doesNotThrowAnyException();
    } else {
      assertThatExceptionOfType(PasswordException.class)
          .isThrownBy(() -> rules.check(ACCOUNT, "x9+k/q"));
    }
  }
}
