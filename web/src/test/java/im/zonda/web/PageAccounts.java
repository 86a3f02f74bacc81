package im.zonda.web;

import im.zonda.directory.SignUp;
import im.zonda.jid.Jid;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Accounts that are created by anyone, or by the invitation [#TOKEN].
public final class PageAccounts implements SignUp {
  /// The token of the invitation.
  public static final String TOKEN = "0123456789abcdef";

  /// The invitation; null if there is none.
  public @Nullable OpenInvitation invitation =
      invitation("xmpp:romeo@example.org?roster;preauth=" + TOKEN + ";ibr=y", true, null);

  /// Whether anyone creates an account.
  public boolean open = true;

  /// What has to be answered; the right answer is "red".
  public @Nullable String question;

  /// Why every form is rejected; null if it is not.
  public @Nullable Reason refusal;

  private final List<String> created = new ArrayList<>();

  /// An invitation of Romeo.
  public static OpenInvitation invitation(
      String uri, boolean registers, @Nullable String username) {
    return new OpenInvitation(uri, Jid.of("romeo@example.org"), registers, username, Instant.MAX);
  }

  /// What was created: name, password and token.
  public List<String> created() {
    return created;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public @Nullable OpenInvitation find(String token, InetAddress address) {
    return token.equals(TOKEN) ? invitation : null;
  }

  @Override
  public int minPasswordLength() {
    return 8;
  }

  @Override
  public @Nullable String question() {
    return question;
  }

  @Override
  public NameCheck checkName(@Nullable String token, String username, InetAddress address) {
    if (refusal != null) {
      return new NameCheck.Unfit(refusal);
    }
    return open || TOKEN.equals(token) ? new NameCheck.Free() : new NameCheck.Unknown();
  }

  @Override
  public Result signUp(Form form, InetAddress address) {
    if (refusal != null) {
      return new Result.Refused(refusal);
    }
    if (question != null && form.token() == null && !form.answer().equals("red")) {
      return new Result.Refused(Reason.WRONG_ANSWER);
    }
    created.add(form.username() + " " + form.password() + " " + form.token());
    return new Result.Created(
        Jid.of(form.username() + "@example.org"),
        form.token() == null ? null : Jid.of("romeo@example.org"));
  }
}
