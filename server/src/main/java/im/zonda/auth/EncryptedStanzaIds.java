package im.zonda.auth;

import im.zonda.jid.Jid;
import im.zonda.store.StanzaIds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Ids of log entries encrypted with the server's secret: one AES block of the 64-bit id and 64
/// zero bits, written in base32. A block that does not decrypt to the zero bits was damaged or
/// invented, or encrypted with another secret.
///
/// Base32 in lower case (RFC 4648, section 6, without padding), not base64url: it survives clients
/// and file systems that ignore or change case, and never begins with a hyphen.
public final class EncryptedStanzaIds implements StanzaIds {
  private static final int BLOCK = 16;
  private static final int TEXT = 26;
  private static final int BITS = 5;

  /// Bits of the last character that the 128 bits of the block do not use.
  private static final int UNUSED = 3;

  /// Digits of the largest id.
  private static final int MAX_DIGITS = 19;

  /// Threads rarely share a slot, and wait for nothing if they do.
  private static final int SLOTS = 16;

  private static final byte[] HEAD = ascii("<stanza-id xmlns='urn:xmpp:sid:0' by='");
  private static final byte[] MIDDLE = ascii("' id='");
  private static final byte[] END = ascii("'/>");

  private final SecretKeySpec key;
  private final AtomicReferenceArray<@Nullable Encryption> idle = new AtomicReferenceArray<>(SLOTS);

  /// @param secret at least 16 secret bytes; with others, ids assigned before are not recognized
  public EncryptedStanzaIds(byte[] secret) {
    this.key = new SecretKeySpec(Arrays.copyOf(derive(secret), BLOCK), "AES");
    put(new Encryption(key)); // a runtime without AES fails here
  }

  private static byte[] derive(byte[] secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, mac.getAlgorithm()));
      return mac.doFinal(ascii("stanza-id"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC SHA-256", e);
    }
  }

  @Override
  public String encode(long id) {
    byte[] text = new byte[TEXT];
    write(id, text, 0);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /// A bare address contains nothing that needs escaping in XML (RFC 7622, section 3.3.1).
  @Override
  public byte[] element(Jid by, long id) {
    byte[] address = by.utf8();
    byte[] all = new byte[HEAD.length + address.length + MIDDLE.length + TEXT + END.length];
    int at = copy(HEAD, all, 0);
    at = copy(address, all, at);
    at = copy(MIDDLE, all, at);
    write(id, all, at);
    copy(END, all, at + TEXT);
    return all;
  }

  private static int copy(byte[] part, byte[] all, int at) {
    System.arraycopy(part, 0, all, at, part.length);
    return at + part.length;
  }

  private void write(long id, byte[] to, int at) {
    Encryption encryption = take();
    encryption.write(id, to, at);
    put(encryption);
  }

  @Override
  public OptionalLong decode(String text) {
    if (text.length() != TEXT) {
      return digits(text);
    }
    byte[] block = new byte[BLOCK];
    if (!parse(text, block)) {
      return OptionalLong.empty();
    }
    Encryption encryption = take();
    ByteBuffer plain = ByteBuffer.wrap(encryption.decrypt(block));
    put(encryption);
    long id = plain.getLong();
    return plain.getLong() == 0 ? OptionalLong.of(id) : OptionalLong.empty();
  }

  /// Reads base32 in its only valid form.
  private static boolean parse(String text, byte[] block) {
    int bits = 0;
    int count = 0;
    int at = 0;
    for (int i = 0; i < TEXT; i++) {
      int value = value(text.charAt(i));
      if (value < 0) {
        return false;
      }
      bits = (bits << BITS | value) & 0xFFF;
      count += BITS;
      if (count >= Byte.SIZE) {
        count -= Byte.SIZE;
        block[at++] = (byte) (bits >>> count);
      }
    }
    return (bits & UNUSED) == 0;
  }

  private static int value(char c) {
    if (c >= 'a' && c <= 'z') {
      return c - 'a';
    }
    return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
  }

  /// Reads the decimal form, which has no leading zeros.
  private static OptionalLong digits(String text) {
    if (text.isEmpty() || text.length() > MAX_DIGITS || text.charAt(0) == '0') {
      return OptionalLong.empty();
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return OptionalLong.empty();
      }
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // above the largest id
    }
  }

  // Not a thread-local: virtual threads are many, and each would have its own ciphers.

  private Encryption take() {
    Encryption taken = idle.getAndSet(slot(), null);
    return taken == null ? new Encryption(key) : taken;
  }

  private void put(Encryption used) {
    idle.setRelease(slot(), used);
  }

  private static int slot() {
    return (int) Thread.currentThread().threadId() & (SLOTS - 1);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// The ciphers, used by one thread at a time. Keeps its last text: an entry that two accounts
  /// share is written for both, one after the other.
  private static final class Encryption {
    private static final byte[] ALPHABET = ascii("abcdefghijklmnopqrstuvwxyz234567");

    private final Cipher encrypt;
    private final Cipher decrypt;
    private final byte[] plain = new byte[BLOCK];
    private final byte[] encrypted = new byte[BLOCK];
    private final byte[] text = new byte[TEXT];
    private long id;
    private boolean written;

    Encryption(SecretKeySpec key) {
      try {
        // One block whose content never repeats: the mode has no part in it.
        encrypt = Cipher.getInstance("AES/ECB/NoPadding");
        encrypt.init(Cipher.ENCRYPT_MODE, key);
        decrypt = Cipher.getInstance("AES/ECB/NoPadding");
        decrypt.init(Cipher.DECRYPT_MODE, key);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java runtime has no AES", e);
      }
    }

    void write(long next, byte[] to, int at) {
      if (!written || id != next) {
        encrypt(next);
        id = next;
        written = true;
      }
      System.arraycopy(text, 0, to, at, TEXT);
    }

    private void encrypt(long next) {
      for (int i = 0; i < Long.BYTES; i++) {
        plain[i] = (byte) (next >>> (Long.SIZE - Byte.SIZE - i * Byte.SIZE));
      }
      try {
        encrypt.doFinal(plain, 0, BLOCK, encrypted, 0);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("a block was not encrypted", e);
      }
      int bits = 0;
      int count = 0;
      int at = 0;
      for (byte each : encrypted) {
        bits = (bits << Byte.SIZE | (each & 0xFF)) & 0xFFFF;
        for (count += Byte.SIZE; count >= BITS; count -= BITS) {
          text[at++] = ALPHABET[bits >>> (count - BITS) & 31];
        }
      }
      text[at] = ALPHABET[bits << (BITS - count) & 31];
    }

    byte[] decrypt(byte[] block) {
      try {
        return decrypt.doFinal(block);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("a block was not decrypted", e);
      }
    }
  }
}
