package im.zonda.module.invitations;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The token of an invitation: [#RANDOM] hexadecimal digits of random bits, and after them the
/// local part of the account that made it, also in hexadecimal. So the invitation is found at its
/// owner, without an index that would remain when the account is removed.
///
/// @param text what the link has
/// @param owner the account that made it, or the host
record InvitationToken(String text, Jid owner) {
  /// Digits that say nothing: 160 bits.
  static final int RANDOM = 40;

  private static final HexFormat HEX = HexFormat.of();

  /// A new token.
  ///
  /// @param id an identifier of at least 128 random bits
  static InvitationToken of(String id, Jid owner) {
    String local = owner.local();
    String tail = local == null ? "" : HEX.formatHex(local.getBytes(StandardCharsets.UTF_8));
    return new InvitationToken(hash(id).substring(0, RANDOM) + tail, owner);
  }

  /// Reads a token of a host; null if it cannot be one.
  static @Nullable InvitationToken read(@Nullable String text, Jid host) {
    if (text == null || text.length() < RANDOM || text.length() % 2 != 0) {
      return null;
    }
    try {
      HEX.parseHex(text, 0, RANDOM);
      String local =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(HEX.parseHex(text, RANDOM, text.length())))
              .toString();
      Jid owner = local.isEmpty() ? host : Jid.stored(local + '@' + host.domain());
      return owner.domainJid().equals(host) && owner.isBare()
          ? new InvitationToken(text, owner)
          : null;
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return null;
    }
  }

  /// What is stored instead of the token.
  String hash() {
    return hash(text);
  }

  /// The SHA-256 of a text, in hexadecimal.
  static String hash(String text) {
    return HashFunction.SHA_256.hex(text);
  }
}
