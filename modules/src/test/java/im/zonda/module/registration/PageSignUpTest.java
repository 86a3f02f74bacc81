package im.zonda.module.registration;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig.Registration;
import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.directory.SignUp.Form;
import im.zonda.directory.SignUp.OpenInvitation;
import im.zonda.directory.SignUp.Reason;
import im.zonda.directory.SignUp.Result;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationStage;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
        .isEqualTo(new Result.Created(Jid.of("juliet@example.org")));
    assertThat(signUp(stage, null, "juliet")).isEqualTo(refused(Reason.TAKEN));
    assertThat(signUp(stage, null, "a@b")).isEqualTo(refused(Reason.NOT_VALID));
    assertThat(stage.registration.signUp(new Form(null, "nurse", "", ""), ADDRESS))
        .isEqualTo(refused(Reason.NOT_VALID));
    signUp(stage, null, "nurse");
    assertThat(signUp(stage, null, "tybalt")).isEqualTo(refused(Reason.TOO_MANY));
    assertThat(stage.context.stores().accounts().count("example.org")).isEqualTo(2);
  }

  @Test
  void anAdministratorsAddressIsTaken() {
    InvitationStage stage = new InvitationStage(EVERYONE, new Registration(true, 2));
    stage.context.stores().registration().addAdministrator(Jid.of("hamlet@example.org"));
    assertThat(signUp(stage, null, "hamlet")).isEqualTo(refused(Reason.TAKEN));
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
    assertThat(signUp(stage, token, "juliet")).isInstanceOf(Result.Created.class);
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
