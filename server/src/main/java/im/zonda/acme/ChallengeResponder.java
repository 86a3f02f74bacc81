package im.zonda.acme;

import java.io.IOException;

/// Shows the authority that a domain is under control.
public interface ChallengeResponder {
  /// The type of the challenges, such as `http-01`.
  String type();

  /// Answers a challenge from now on.
  ///
  /// @param domain the domain, as an A-label
  /// @param token what the authority asks for, in characters of base64url
  /// @param authorization the key authorization
  /// @throws IOException if it cannot be written
  void publish(String domain, String token, String authorization) throws IOException;

  /// Answers it no longer.
  ///
  /// @throws IOException if it cannot be removed
  void withdraw(String domain, String token) throws IOException;
}
