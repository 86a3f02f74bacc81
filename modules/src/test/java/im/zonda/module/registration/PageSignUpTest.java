package im.zonda.module.registration;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig.Registration;
import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.directory.SignUp.Form;
import im.zonda.directory.SignUp.NameCheck;
import im.zonda.directory.SignUp.OpenInvitation;
import im.zonda.directory.SignUp.Reason;
import im.zonda.directory.SignUp.Result;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationStage;
import im.zonda.module.testing.TestRegistration;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Accounts that are created by forms of pages, under the rules of registration.
class PageSignUpTest {
  private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();
  private static final Invitations EVERYONE =
      new Invitations(Inviters.EVERYONE, Inviters.EVERYONE, Duration.ofDays(7), null);

  private static Result signUp(InvitationStage stage, @Nullable String token, String name) {
    return stage.registration.signUp(new Form(token, name, "Calliope", ""), ADDRESS);
  }

  private static Result refused(Reason reason) {
    return new Result.Refused(reason);
  }

  @Test
  void anyoneCreatesAnAccountWhereThatIsAllowed() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    assertThat(stage.registration.isOpen()).isTrue();
    assertThat(signUp(stage, null, "Juliet"))
        .isEqualTo(new Result.Created(Jid.of("juliet@example.org"), null));
    assertThat(signUp(stage, null, "juliet")).isEqualTo(refused(Reason.NAME_TAKEN));
    signUp(stage, null, "nurse");
    assertThat(signUp(stage, null, "tybalt")).isEqualTo(refused(Reason.TOO_MANY));
    assertThat(stage.context.stores().accounts().count("example.org")).isEqualTo(2);
  }

  /// Each is said by itself, so that people know what to change.
  @ParameterizedTest
  @CsvSource({
    "'', NAME_EMPTY",
    "carol müller, NAME_SPACE",
    "a\u00a0b, NAME_SPACE",
    "carol@example.org, NAME_AT",
    "carol@, NAME_AT",
    "a/b, NAME_CHARACTER",
    "<carol>, NAME_CHARACTER",
    "\uff20, NAME_CHARACTER"
  })
  void aNameIsRefusedWithItsReason(String name, Reason reason) {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    assertThat(signUp(stage, null, name)).isEqualTo(refused(reason));
    assertThat(stage.registration.checkName(null, name, ADDRESS))
        .isEqualTo(new NameCheck.Unfit(reason));
    assertThat(stage.context.stores().accounts().count("example.org")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1024, a", "512, ü"})
  void aNameIsTooLong(int length, String letter) {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    assertThat(signUp(stage, null, letter.repeat(length))).isEqualTo(refused(Reason.NAME_TOO_LONG));
  }

  @Test
  void aPasswordIsRefusedWithItsReason() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    Map<String, Reason> reasons =
        Map.of(
            "",
            Reason.PASSWORD_EMPTY,
            TestRegistration.COMMON,
            Reason.PASSWORD_COMMON,
            "x".repeat(TestRegistration.MAX_LENGTH + 1),
            Reason.PASSWORD_TOO_LONG,
            "a\nb",
            Reason.PASSWORD_CHARACTER);
    reasons.forEach((password, reason) ->
        assertThat(stage.registration.signUp(new Form(null, "nurse", password, ""), ADDRESS))
            .isEqualTo(refused(reason)));
    assertThat(stage.context.stores().accounts().count("example.org")).isZero();
  }

  @Test
  void aNameIsCheckedWhereAnyoneMayCreateAnAccount() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    stage.context.stores().registration().addAdministrator(Jid.of("hamlet@example.org"));
    assertThat(check(stage, null, "juliet")).isEqualTo(new NameCheck.Free());
    signUp(stage, null, "juliet");
    assertThat(check(stage, null, "Juliet")).isEqualTo(unfit(Reason.NAME_TAKEN));
    assertThat(check(stage, null, "hamlet")).isEqualTo(unfit(Reason.NAME_TAKEN));
    stage.accountToken(
        stage.context.bind("bard@example.org/globe"),
        "<field var='username'><value>nurse</value></field>");
    assertThat(check(stage, null, "nurse")).isEqualTo(unfit(Reason.NAME_RESERVED));
    assertThat(signUp(stage, null, "nurse")).isEqualTo(refused(Reason.NAME_RESERVED));
  }

  /// Names are an oracle for accounts, so only those who could create one may ask.
  @Test
  void aNameIsNotCheckedForThoseWhoCannotCreateAnAccount() {
    InvitationStage closed = new InvitationStage(EVERYONE, new Registration(false, 2));
    String token = closed.token(closed.context.bind("romeo@example.org/orchard"));
    for (String name : List.of("romeo", "juliet")) {
      assertThat(check(closed, null, name)).isEqualTo(new NameCheck.Unknown());
      assertThat(check(closed, "0".repeat(40), name)).isEqualTo(unfit(Reason.NO_INVITATION));
    }
    assertThat(check(closed, token, "romeo")).isEqualTo(unfit(Reason.NAME_TAKEN));
    assertThat(check(closed, token, "juliet")).isEqualTo(new NameCheck.Free());
    signUp(closed, token, "juliet");
    assertThat(check(closed, token, "romeo")).isEqualTo(unfit(Reason.NO_INVITATION));
    InvitationStage asking =
        new InvitationStage(EVERYONE, new Registration(true, 2, "Color?", List.of("red"), 8));
    asking.context.bind("romeo@example.org/orchard");
    assertThat(check(asking, null, "romeo")).isEqualTo(new NameCheck.Unknown());
  }

  @Test
  void anAddressChecksSoManyNamesAnHour() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    for (int i = 0; i < AccountCreation.NAME_CHECKS; i++) {
      assertThat(check(stage, null, "juliet" + i)).isEqualTo(new NameCheck.Free());
    }
    assertThat(check(stage, null, "juliet")).isEqualTo(new NameCheck.Unknown());
    assertThat(check(stage, null, "a b")).isEqualTo(unfit(Reason.NAME_SPACE));
    assertThat(signUp(stage, null, "juliet")).isInstanceOf(Result.Created.class);
    stage.context.clock().advance(Duration.ofHours(1));
    assertThat(check(stage, null, "nurse")).isEqualTo(new NameCheck.Free());
  }

  private static NameCheck check(InvitationStage stage, @Nullable String token, String name) {
    return stage.registration.checkName(token, name, ADDRESS);
  }

  private static NameCheck unfit(Reason reason) {
    return new NameCheck.Unfit(reason);
  }

  @Test
  void anInvitationForANameIsForNoOther() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(false, 2));
    String token =
        stage.accountToken(
            stage.context.bind("bard@example.org/globe"),
            "<field var='username'><value>nurse</value></field>");
    assertThat(signUp(stage, token, "juliet")).isEqualTo(refused(Reason.NAME_OTHER));
    assertThat(check(stage, token, "juliet")).isEqualTo(unfit(Reason.NAME_OTHER));
    assertThat(check(stage, token, "nurse")).isEqualTo(new NameCheck.Free());
    assertThat(signUp(stage, token, "nurse"))
        .isEqualTo(new Result.Created(Jid.of("nurse@example.org"), Jid.of("bard@example.org")));
  }

  /// The one who invites becomes a contact unless the invitation says otherwise.
  @Test
  void anInvitationSaysWhoBecomesAContact() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(false, 2));
    String token =
        stage.accountToken(
            stage.context.bind("romeo@example.org/orchard"),
            "<field var='roster-subscription'><value>false</value></field>");
    assertThat(signUp(stage, token, "juliet"))
        .isEqualTo(new Result.Created(Jid.of("juliet@example.org"), null));
  }

  @Test
  void anAdministratorsAddressIsTaken() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    stage.context.stores().registration().addAdministrator(Jid.of("hamlet@example.org"));
    assertThat(signUp(stage, null, "hamlet")).isEqualTo(refused(Reason.NAME_TAKEN));
    assertThat(stage.context.stores().accounts().count("example.org")).isZero();
  }

  @Test
  void anInvitationIsFoundAndUsedOnce() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(false, 2));
    Map<String, String> issued =
        InvitationStage.result(
            stage.run(stage.context.bind("romeo@example.org/orchard"), "invite", "", ""));
    String token = InvitationStage.token(issued);
    OpenInvitation found = Objects.requireNonNull(stage.registration.find(token, ADDRESS));
    assertThat(found.uri()).isEqualTo(issued.get("uri"));
    assertThat(found.inviter()).isEqualTo(Jid.of("romeo@example.org"));
    assertThat(found.registers()).isTrue();
    assertThat(signUp(stage, null, "juliet")).isEqualTo(refused(Reason.CLOSED));
    assertThat(signUp(stage, "0".repeat(40), "juliet")).isEqualTo(refused(Reason.NO_INVITATION));
    assertThat(signUp(stage, token, "juliet"))
        .isEqualTo(new Result.Created(Jid.of("juliet@example.org"), Jid.of("romeo@example.org")));
    assertThat(signUp(stage, token, "nurse")).isEqualTo(refused(Reason.NO_INVITATION));
    assertThat(stage.registration.find(token, ADDRESS)).isNull();
  }

  @Test
  void theQuestionIsForThoseWithoutAnInvitation() {
    Registration asking = new Registration(true, 2, "Which color is blood?", List.of("red"), 8);
    InvitationStage stage = new InvitationStage(EVERYONE, asking);
    assertThat(stage.registration.question()).isEqualTo("Which color is blood?");
    assertThat(signUp(stage, null, "juliet")).isEqualTo(refused(Reason.WRONG_ANSWER));
    Form right = new Form(null, "juliet", "Calliope", "Red");
    assertThat(stage.registration.signUp(right, ADDRESS)).isEqualTo(refused(Reason.TOO_MANY));
    stage.context.clock().advance(Duration.ofSeconds(1));
    assertThat(stage.registration.signUp(right, ADDRESS)).isInstanceOf(Result.Created.class);
    String token =
        InvitationStage.token(
            InvitationStage.result(
                stage.run(stage.context.bind("romeo@example.org/orchard"), "invite", "", "")));
    assertThat(signUp(stage, token, "nurse")).isInstanceOf(Result.Created.class);
  }

  /// An address that guesses tokens no longer finds one, not even a valid one.
  @Test
  void guessesAreLimited() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(false, 2));
    String token =
        InvitationStage.token(
            InvitationStage.result(
                stage.run(stage.context.bind("romeo@example.org/orchard"), "invite", "", "")));
    for (int i = 0; i < PreAuthentication.WRONG_TOKENS; i++) {
      assertThat(stage.registration.find("0".repeat(40), ADDRESS)).isNull();
    }
    assertThat(stage.registration.find(token, ADDRESS)).isNull();
  }
}
