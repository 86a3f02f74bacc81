package im.zonda.web.account;

import im.zonda.directory.SignUp;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Nobody can create an account.
final class ClosedSignUp implements SignUp {
  @Override
  public boolean isOpen() {
    return false;
  }

  @Override
  public @Nullable OpenInvitation find(String token, InetAddress address) {
    return null;
  }

  @Override
  public @Nullable String question() {
    return null;
  }

  @Override
  public int minPasswordLength() {
    return 4;
  }

  @Override
  public NameCheck checkName(@Nullable String token, String username, InetAddress address) {
    return new NameCheck.Unknown();
  }

  @Override
  public Result signUp(Form form, InetAddress address) {
    return new Result.Refused(Reason.CLOSED);
  }
}
