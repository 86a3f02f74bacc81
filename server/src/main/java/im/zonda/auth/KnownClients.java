package im.zonda.auth;

import im.zonda.auth.KnownClient.Token;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the known clients of accounts in a key-value store. Calls block.
public final class KnownClients {
  /// The name of the store.
  public static final String STORE = "clients";

  private static final Logger LOG = LoggerFactory.getLogger(KnownClients.class);
  private static final int VERSION = 1;

  private final KeyValueStore values;
  private final int most;
  private final Duration time;
  private final InstantSource clock;

  /// Uses a key-value store.
  ///
  /// @param most the maximum number per account
  /// @param time how long a client is kept after its last login
  public KnownClients(KeyValueStore values, int most, Duration time, InstantSource clock) {
    this.values = values;
    this.most = most;
    this.time = time;
    this.clock = clock;
  }

  /// The client, or null.
  public @Nullable KnownClient find(Jid account, String id) {
    byte[] value = values.get(account, id);
    return value == null ? null : read(id, value);
  }

  /// The account's clients that have not expired, the one that was seen last first.
  public List<KnownClient> all(Jid account) {
    List<KnownClient> clients = new ArrayList<>();
    for (Map.Entry<String, byte[]> each : values.all(account).entrySet()) {
      KnownClient client = read(each.getKey(), each.getValue());
      if (client != null && !isExpired(client)) {
        clients.add(client);
      }
    }
    clients.sort(Comparator.comparing(KnownClient::lastSeen).reversed());
    return clients;
  }

  /// Adds a client. Evicts the one that was not seen for longest if there are too many.
  public void add(Jid account, KnownClient client) {
    List<KnownClient> others = new ArrayList<>();
    for (Map.Entry<String, byte[]> each : values.all(account).entrySet()) {
      KnownClient other = read(each.getKey(), each.getValue());
      if (other != null) {
        others.add(other);
      }
    }
    others.sort(Comparator.comparing(KnownClient::lastSeen).reversed());
    for (int i = 0; i < others.size(); i++) {
      if (i >= most - 1 || isExpired(others.get(i))) {
        values.remove(account, others.get(i).id());
      }
    }
    change(account, client);
  }

  /// Updates a client.
  public void change(Jid account, KnownClient client) {
    values.put(account, client.id(), write(client));
  }

  /// Removes a client and with it its tokens.
  public void remove(Jid account, String id) {
    values.remove(account, id);
  }

  private boolean isExpired(KnownClient client) {
    return client.lastSeen().plus(time).isBefore(clock.instant());
  }

  private static byte[] write(KnownClient client) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      writeText(out, client.software());
      writeText(out, client.device());
      out.writeLong(client.firstSeen().toEpochMilli());
      out.writeLong(client.lastSeen().toEpochMilli());
      out.writeUTF(client.mark());
      writeToken(out, client.current());
      writeToken(out, client.fresh());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /// Reads a client; null if it cannot be read: it has to log in with its password again.
  private static @Nullable KnownClient read(String id, byte[] value) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("version " + version);
      }
      return new KnownClient(
          id,
          readText(in),
          readText(in),
          Instant.ofEpochMilli(in.readLong()),
          Instant.ofEpochMilli(in.readLong()),
          in.readUTF(),
          readToken(in),
          readToken(in));
    } catch (IOException e) {
      LOG.atError().addKeyValue("client", id).setCause(e).log("known_client_damaged");
      return null;
    }
  }

  private static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
    out.writeUTF(text == null ? "" : text);
  }

  private static @Nullable String readText(DataInputStream in) throws IOException {
    String text = in.readUTF();
    return text.isEmpty() ? null : text;
  }

  private static void writeToken(DataOutputStream out, @Nullable Token token) throws IOException {
    out.writeBoolean(token != null);
    if (token != null) {
      out.writeUTF(token.mechanism());
      out.writeUTF(token.seed());
      out.writeLong(token.issued().toEpochMilli());
      out.writeLong(token.expiry().toEpochMilli());
    }
  }

  private static @Nullable Token readToken(DataInputStream in) throws IOException {
    return in.readBoolean()
        ? new Token(
            in.readUTF(),
            in.readUTF(),
            Instant.ofEpochMilli(in.readLong()),
            Instant.ofEpochMilli(in.readLong()))
        : null;
  }
}
