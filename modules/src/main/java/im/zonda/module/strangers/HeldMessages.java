package im.zonda.module.strangers;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.store.MessageLog;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which messages of strangers are held for an account, in memory while its home is loaded; their
/// content is only in the store. Confined to the home's mailbox.
///
/// The key of a message is its time in microseconds, which is unique in an account and grows. Its
/// value is the sender's address, a line feed and the message as XML. A damaged value is reported
/// and stays in the store for repair; the others are not affected.
///
/// One remote domain may use a quarter of the bounds and one sender a tenth, so that a domain that
/// sends much leaves room for others.
final class HeldMessages {
  private static final Logger LOG = LoggerFactory.getLogger(HeldMessages.class);

  /// The most messages of an account.
  static final int MAX = 100;

  /// The most bytes of an account.
  static final int MAX_BYTES = 131_072;

  /// The most messages of one remote domain.
  static final int MAX_OF_DOMAIN = MAX / 4;

  /// The most bytes of one remote domain.
  static final int MAX_BYTES_OF_DOMAIN = MAX_BYTES / 4;

  /// The most messages of one sender, a bare address.
  static final int MAX_OF_SENDER = MAX / 10;

  /// The most bytes of one sender.
  static final int MAX_BYTES_OF_SENDER = MAX_BYTES / 8;

  /// A held message.
  ///
  /// @param key its key in the store
  /// @param sender its `from`
  /// @param time when it came
  /// @param bytes the size of its value
  record Held(String key, Jid sender, Instant time, int bytes) {
    private static Held of(String key, byte[] value) {
      String sender = new String(value, 0, lineFeed(value), StandardCharsets.UTF_8);
      Instant time = MessageLog.timeOf(Long.parseLong(key));
      return new Held(key, Jid.stored(sender), time, value.length);
    }
  }

  private final TreeMap<String, Held> held = new TreeMap<>();

  /// The time of the newest message that was ever held, in microseconds.
  private long newest;

  /// Reads which messages are stored.
  ///
  /// @param leaving the keys of messages that are being delivered or returned
  static HeldMessages of(Jid account, Map<String, byte[]> stored, Predicate<String> leaving) {
    HeldMessages read = new HeldMessages();
    stored.forEach((key, value) -> {
      try {
        read.newest = Math.max(read.newest, Long.parseLong(key)); // also if the value is damaged
        Held each = Held.of(key, value);
        if (!leaving.test(key)) {
          read.add(each);
        }
      } catch (NumberFormatException | JidFormatException e) {
        reportDamage(account, key, e);
      }
    });
    return read;
  }

  private static int lineFeed(byte[] value) {
    int end = 0;
    while (end < value.length && value[end] != '\n') {
      end++;
    }
    return end;
  }

  /// The value of a message for the store.
  static byte[] stored(Jid sender, Message message) {
    ByteArraySink sink = new ByteArraySink(message.writtenSize() + 64);
    byte[] from = (sender + "\n").getBytes(StandardCharsets.UTF_8);
    sink.put(from, 0, from.length);
    XmlWriter.write(message.toElement(), "", sink);
    return sink.toByteArray();
  }

  /// Reads a message from its value; null if it is damaged, which is reported.
  static @Nullable Message read(Jid account, Held held, byte[] value) {
    int start = Math.min(value.length, lineFeed(value) + 1);
    try {
      Stanza stanza = Stanza.of(XmlReader.read(Arrays.copyOfRange(value, start, value.length)));
      if (stanza instanceof Message message
          && held.sender().equals(message.from())
          && message.to() != null) {
        return message;
      }
      reportDamage(account, held.key(), null);
    } catch (XmlException | StanzaFormatException e) {
      reportDamage(account, held.key(), e);
    }
    return null;
  }

  private static void reportDamage(Jid account, String key, @Nullable Exception cause) {
    LOG.atError()
        .addKeyValue("owner", account)
        .addKeyValue("key", key)
        .setCause(cause)
        .log("held_message_damaged");
  }

  /// Whether another message of that sender, given by its bare address, may be held.
  boolean hasRoom(Jid bare, int size) {
    int ofDomain = 0;
    int ofSender = 0;
    int bytes = size;
    int bytesOfDomain = size;
    int bytesOfSender = size;
    for (Held each : held.values()) {
      bytes += each.bytes();
      if (each.sender().domain().equals(bare.domain())) {
        ofDomain++;
        bytesOfDomain += each.bytes();
        if (each.sender().bare().equals(bare)) {
          ofSender++;
          bytesOfSender += each.bytes();
        }
      }
    }
    return held.size() < MAX
        && bytes <= MAX_BYTES
        && ofDomain < MAX_OF_DOMAIN
        && bytesOfDomain <= MAX_BYTES_OF_DOMAIN
        && ofSender < MAX_OF_SENDER
        && bytesOfSender <= MAX_BYTES_OF_SENDER;
  }

  /// The key of a message that comes now.
  String nextKey(Instant now) {
    long time = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    newest = Math.max(time, newest + 1);
    return String.format(Locale.ROOT, "%020d", newest);
  }

  /// Adds a message that is in the store.
  void add(String key, byte[] value) {
    add(Held.of(key, value));
  }

  private void add(Held message) {
    held.put(message.key(), message);
  }

  void remove(Held message) {
    held.remove(message.key(), message);
  }

  /// Has the same messages as `other`, which was read later.
  void replaceBy(HeldMessages other) {
    held.clear();
    held.putAll(other.held);
    newest = Math.max(newest, other.newest);
  }

  /// All, in the order in which they came.
  List<Held> all() {
    return List.copyOf(held.values());
  }

  /// Whether there is a message of a sender, given by its bare address.
  boolean hasOf(Jid bare) {
    for (Held each : held.values()) {
      if (each.sender().bare().equals(bare)) {
        return true;
      }
    }
    return false;
  }
}
