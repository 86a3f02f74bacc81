package im.zonda.node;

import im.zonda.cluster.frame.StanzaBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The binary form of a [Post]: a byte for the kind, then its fields. Kinds and the order of fields
/// never change; a later version may add fields behind.
final class PostForm {
  private PostForm() {}

  static StanzaBytes write(Post post) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(post, out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return new StanzaBytes(bytes.toByteArray());
  }

  private static void write(Post post, DataOutputStream out) throws IOException {
    switch (post) {
      case Post.ComponentOpened(String domain, long link) -> {
        out.writeByte(1);
        out.writeUTF(domain);
        out.writeLong(link);
      }
      case Post.ComponentWritten written -> componentWritten(written, out);
      case Post.ComponentEnded(String domain, long link, boolean output) -> {
        out.writeByte(3);
        out.writeUTF(domain);
        out.writeLong(link);
        out.writeBoolean(output);
      }
      case Post.ComponentStanza stanza -> componentStanza(stanza, out);
      case Post.ComponentClosed(long link, String condition, String text) -> {
        out.writeByte(5);
        out.writeLong(link);
        out.writeUTF(condition);
        out.writeUTF(text);
      }
      case Post.ComponentPresence(String domain, Post.Presence presence) -> {
        out.writeByte(6);
        out.writeUTF(domain);
        out.writeUTF(presence.name());
      }
      case Post.MovedHandled(long id) -> {
        out.writeByte(7);
        out.writeLong(id);
      }
      case Post.Asked(String from, String to, String id, String requester) -> {
        request(8, from, to, id, out);
        out.writeUTF(requester);
      }
      case Post.AskedNoMore(String from, String to, String id) -> request(9, from, to, id, out);
      case Post.Answered(StanzaBytes answer) -> {
        out.writeByte(10);
        bytes(answer, out);
      }
      case Post.Served(String sections) -> {
        out.writeByte(11);
        out.writeUTF(sections);
      }
      case Post.Features features -> {
        out.writeByte(12);
        features(features, out);
      }
      case Post.OnlineAsked asked -> onlineAsked(asked, out);
      case Post.OnlineFound found -> onlineFound(found, out);
      case Post.StreamAsked asked -> streamAsked(asked, out);
      case Post.StreamAnswered answered -> streamAnswered(answered, out);
      case Post.ModuleNotice(String domain, String module) -> {
        out.writeByte(15);
        out.writeUTF(domain);
        out.writeUTF(module);
      }
      case Post.BoshAsked asked -> boshAsked(asked, out);
      case Post.BoshAnswered answered -> boshAnswered(answered, out);
    }
  }

  private static void componentWritten(Post.ComponentWritten value, DataOutputStream out)
      throws IOException {
    out.writeByte(2);
    out.writeUTF(value.domain());
    out.writeLong(value.link());
    out.writeLong(value.number());
  }

  private static void componentStanza(Post.ComponentStanza value, DataOutputStream out)
      throws IOException {
    out.writeByte(4);
    out.writeLong(value.link());
    out.writeLong(value.number());
    bytes(value.stanza(), out);
  }

  private static void onlineAsked(Post.OnlineAsked asked, DataOutputStream out) throws IOException {
    out.writeByte(13);
    out.writeLong(asked.question());
    out.writeUTF(asked.domain());
    out.writeUTF(asked.activity());
    out.writeInt(asked.limit());
  }

  private static void onlineFound(Post.OnlineFound found, DataOutputStream out) throws IOException {
    out.writeByte(14);
    out.writeLong(found.question());
    out.writeLong(found.count());
    bytes(found.accounts(), out);
  }

  private static void streamAsked(Post.StreamAsked asked, DataOutputStream out) throws IOException {
    out.writeByte(18);
    out.writeLong(asked.question());
    out.writeUTF(asked.address());
    out.writeUTF(asked.requester());
  }

  private static void streamAnswered(Post.StreamAnswered answered, DataOutputStream out)
      throws IOException {
    out.writeByte(19);
    out.writeLong(answered.question());
    out.writeUTF(answered.outcome());
  }

  private static void boshAsked(Post.BoshAsked asked, DataOutputStream out) throws IOException {
    out.writeByte(16);
    out.writeLong(asked.question());
    out.writeBoolean(asked.secure());
    bytes(asked.body(), out);
  }

  private static void boshAnswered(Post.BoshAnswered answered, DataOutputStream out)
      throws IOException {
    out.writeByte(17);
    out.writeLong(answered.question());
    out.writeInt(answered.status());
    out.writeUTF(answered.type());
    bytes(answered.body(), out);
  }

  /// Reads what [#write] has written.
  ///
  /// @throws IOException if the bytes are of no kind that is known, or too short
  static Post read(StanzaBytes value) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value.array()))) {
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 1 -> new Post.ComponentOpened(in.readUTF(), in.readLong());
        case 2 -> new Post.ComponentWritten(in.readUTF(), in.readLong(), in.readLong());
        case 3 -> new Post.ComponentEnded(in.readUTF(), in.readLong(), in.readBoolean());
        case 4 -> new Post.ComponentStanza(in.readLong(), in.readLong(), bytes(in));
        case 5 -> new Post.ComponentClosed(in.readLong(), in.readUTF(), in.readUTF());
        case 6 -> new Post.ComponentPresence(in.readUTF(), presence(in.readUTF()));
        case 7 -> new Post.MovedHandled(in.readLong());
        case 8 -> new Post.Asked(in.readUTF(), in.readUTF(), bytes(in).text(), in.readUTF());
        case 9 -> new Post.AskedNoMore(in.readUTF(), in.readUTF(), bytes(in).text());
        case 10 -> new Post.Answered(bytes(in));
        case 11 -> new Post.Served(in.readUTF());
        case 12 -> features(in);
        case 13 -> new Post.OnlineAsked(in.readLong(), in.readUTF(), in.readUTF(), in.readInt());
        case 14 -> new Post.OnlineFound(in.readLong(), in.readLong(), bytes(in));
        case 15 -> new Post.ModuleNotice(in.readUTF(), in.readUTF());
        case 16 -> new Post.BoshAsked(in.readLong(), in.readBoolean(), bytes(in));
        case 17 -> new Post.BoshAnswered(in.readLong(), in.readInt(), in.readUTF(), bytes(in));
        case 18 -> new Post.StreamAsked(in.readLong(), in.readUTF(), in.readUTF());
        case 19 -> new Post.StreamAnswered(in.readLong(), in.readUTF());
        default -> throw new IOException("an unknown kind: " + kind);
      };
    }
  }

  private static void request(int kind, String from, String to, String id, DataOutputStream out)
      throws IOException {
    out.writeByte(kind);
    out.writeUTF(from);
    out.writeUTF(to);
    text(id, out);
  }

  private static void features(Post.Features post, DataOutputStream out) throws IOException {
    out.writeUTF(post.algorithm());
    out.writeUTF(post.hash());
    out.writeUTF(post.source());
    out.writeInt(post.features().size());
    for (String feature : post.features()) {
      text(feature, out);
    }
  }

  private static Post.Features features(DataInputStream in) throws IOException {
    String algorithm = in.readUTF();
    String hash = in.readUTF();
    String source = in.readUTF();
    List<String> features = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      features.add(bytes(in).text());
    }
    return new Post.Features(algorithm, hash, features, source);
  }

  private static Post.Presence presence(String name) throws IOException {
    for (Post.Presence each : Post.Presence.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new IOException("no presence of a component: " + name);
  }

  /// A text of any length, such as the `id` of a stanza.
  private static void text(String text, DataOutputStream out) throws IOException {
    bytes(new StanzaBytes(text.getBytes(StandardCharsets.UTF_8)), out);
  }

  private static void bytes(StanzaBytes bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.size());
    out.write(bytes.array());
  }

  private static StanzaBytes bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a length of " + length + " with " + in.available() + " bytes left");
    }
    return new StanzaBytes(in.readNBytes(length));
  }
}
