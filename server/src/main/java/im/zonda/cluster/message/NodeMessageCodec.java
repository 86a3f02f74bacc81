package im.zonda.cluster.message;

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

/// The binary form of a [NodeMessage]: a byte for the kind, then its fields. Kinds and the order of
/// fields never change; a later version may add fields behind.
final class NodeMessageCodec {
  private NodeMessageCodec() {}

  static StanzaBytes write(NodeMessage post) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(post, out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return new StanzaBytes(bytes.toByteArray());
  }

  private static void write(NodeMessage post, DataOutputStream out) throws IOException {
    switch (post) {
      case NodeMessage.ComponentOpened(String domain, long link) -> {
        out.writeByte(1);
        out.writeUTF(domain);
        out.writeLong(link);
      }
      case NodeMessage.ComponentWritten written -> componentWritten(written, out);
      case NodeMessage.ComponentEnded(String domain, long link, boolean output) -> {
        out.writeByte(3);
        out.writeUTF(domain);
        out.writeLong(link);
        out.writeBoolean(output);
      }
      case NodeMessage.ComponentStanza stanza -> componentStanza(stanza, out);
      case NodeMessage.ComponentClosed closed -> componentClosed(closed, out);
      case NodeMessage.ComponentPresence(String domain, NodeMessage.Presence presence) -> {
        out.writeByte(6);
        out.writeUTF(domain);
        out.writeUTF(presence.name());
      }
      case NodeMessage.MovedHandled(long id) -> number(7, id, out);
      case NodeMessage.Asked(String from, String to, String id, String requester) -> {
        request(8, from, to, id, out);
        out.writeUTF(requester);
      }
      case NodeMessage.AskedNoMore(String from, String to, String id) ->
          request(9, from, to, id, out);
      case NodeMessage.Answered(StanzaBytes answer) -> {
        out.writeByte(10);
        bytes(answer, out);
      }
      case NodeMessage.Served(String sections) -> {
        out.writeByte(11);
        out.writeUTF(sections);
      }
      case NodeMessage.Features features -> {
        out.writeByte(12);
        features(features, out);
      }
      case NodeMessage.OnlineAsked asked -> onlineAsked(asked, out);
      case NodeMessage.OnlineFound found -> onlineFound(found, out);
      case NodeMessage.StreamAsked asked -> streamAsked(asked, out);
      case NodeMessage.StreamAnswered answered -> streamAnswered(answered, out);
      case NodeMessage.ModuleNotice(String domain, String module) -> {
        out.writeByte(15);
        out.writeUTF(domain);
        out.writeUTF(module);
      }
      case NodeMessage.BoshAsked asked -> boshAsked(asked, out);
      case NodeMessage.BoshAnswered answered -> boshAnswered(answered, out);
      case NodeMessage.OperationAsked(long question, StanzaBytes call) ->
          operation(20, question, call, out);
      case NodeMessage.OperationAnswered(long question, StanzaBytes outcome) ->
          operation(21, question, outcome, out);
      case NodeMessage.Probed(long number) -> number(22, number, out);
      case NodeMessage.ProbeAnswered(long number) -> number(23, number, out);
    }
  }

  private static void componentWritten(NodeMessage.ComponentWritten value, DataOutputStream out)
      throws IOException {
    out.writeByte(2);
    out.writeUTF(value.domain());
    out.writeLong(value.link());
    out.writeLong(value.number());
  }

  private static void componentClosed(NodeMessage.ComponentClosed closed, DataOutputStream out)
      throws IOException {
    out.writeByte(5);
    out.writeLong(closed.link());
    out.writeUTF(closed.condition());
    out.writeUTF(closed.text());
  }

  private static void componentStanza(NodeMessage.ComponentStanza value, DataOutputStream out)
      throws IOException {
    out.writeByte(4);
    out.writeLong(value.link());
    out.writeLong(value.number());
    bytes(value.stanza(), out);
  }

  private static void onlineAsked(NodeMessage.OnlineAsked asked, DataOutputStream out)
      throws IOException {
    out.writeByte(13);
    out.writeLong(asked.question());
    out.writeUTF(asked.domain());
    out.writeUTF(asked.activity());
    out.writeInt(asked.limit());
    out.writeUTF(asked.after());
  }

  private static void onlineFound(NodeMessage.OnlineFound found, DataOutputStream out)
      throws IOException {
    out.writeByte(14);
    out.writeLong(found.question());
    out.writeLong(found.count());
    bytes(found.accounts(), out);
  }

  private static void streamAsked(NodeMessage.StreamAsked asked, DataOutputStream out)
      throws IOException {
    out.writeByte(18);
    out.writeLong(asked.question());
    out.writeUTF(asked.address());
    out.writeUTF(asked.requester());
  }

  private static void streamAnswered(NodeMessage.StreamAnswered answered, DataOutputStream out)
      throws IOException {
    out.writeByte(19);
    out.writeLong(answered.question());
    out.writeUTF(answered.outcome());
  }

  private static void boshAsked(NodeMessage.BoshAsked asked, DataOutputStream out)
      throws IOException {
    out.writeByte(16);
    out.writeLong(asked.question());
    out.writeBoolean(asked.secure());
    bytes(asked.body(), out);
  }

  private static void boshAnswered(NodeMessage.BoshAnswered answered, DataOutputStream out)
      throws IOException {
    out.writeByte(17);
    out.writeLong(answered.question());
    out.writeInt(answered.status());
    out.writeUTF(answered.type());
    bytes(answered.body(), out);
  }

  private static void number(int kind, long number, DataOutputStream out) throws IOException {
    out.writeByte(kind);
    out.writeLong(number);
  }

  private static void operation(int kind, long question, StanzaBytes text, DataOutputStream out)
      throws IOException {
    out.writeByte(kind);
    out.writeLong(question);
    bytes(text, out);
  }

  /// Reads what [#write] has written.
  ///
  /// @throws IOException if the bytes are of no kind that is known, or too short
  static NodeMessage read(StanzaBytes value) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value.array()))) {
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 1 -> new NodeMessage.ComponentOpened(in.readUTF(), in.readLong());
        case 2 -> new NodeMessage.ComponentWritten(in.readUTF(), in.readLong(), in.readLong());
        case 3 -> new NodeMessage.ComponentEnded(in.readUTF(), in.readLong(), in.readBoolean());
        case 4 -> new NodeMessage.ComponentStanza(in.readLong(), in.readLong(), bytes(in));
        case 5 -> new NodeMessage.ComponentClosed(in.readLong(), in.readUTF(), in.readUTF());
        case 6 -> new NodeMessage.ComponentPresence(in.readUTF(), presence(in.readUTF()));
        case 7 -> new NodeMessage.MovedHandled(in.readLong());
        case 8 -> new NodeMessage.Asked(in.readUTF(), in.readUTF(), bytes(in).text(), in.readUTF());
        case 9 -> new NodeMessage.AskedNoMore(in.readUTF(), in.readUTF(), bytes(in).text());
        case 10 -> new NodeMessage.Answered(bytes(in));
        case 11 -> new NodeMessage.Served(in.readUTF());
        case 12 -> features(in);
        case 13 ->
            new NodeMessage.OnlineAsked(
                in.readLong(), in.readUTF(), in.readUTF(), in.readInt(), in.readUTF());
        case 14 -> new NodeMessage.OnlineFound(in.readLong(), in.readLong(), bytes(in));
        case 15 -> new NodeMessage.ModuleNotice(in.readUTF(), in.readUTF());
        case 16 -> new NodeMessage.BoshAsked(in.readLong(), in.readBoolean(), bytes(in));
        case 17 ->
            new NodeMessage.BoshAnswered(in.readLong(), in.readInt(), in.readUTF(), bytes(in));
        case 18 -> new NodeMessage.StreamAsked(in.readLong(), in.readUTF(), in.readUTF());
        case 19 -> new NodeMessage.StreamAnswered(in.readLong(), in.readUTF());
        case 20 -> new NodeMessage.OperationAsked(in.readLong(), bytes(in));
        case 21 -> new NodeMessage.OperationAnswered(in.readLong(), bytes(in));
        case 22 -> new NodeMessage.Probed(in.readLong());
        case 23 -> new NodeMessage.ProbeAnswered(in.readLong());
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

  private static void features(NodeMessage.Features post, DataOutputStream out) throws IOException {
    out.writeUTF(post.algorithm());
    out.writeUTF(post.hash());
    out.writeUTF(post.source());
    out.writeInt(post.features().size());
    for (String feature : post.features()) {
      text(feature, out);
    }
  }

  private static NodeMessage.Features features(DataInputStream in) throws IOException {
    String algorithm = in.readUTF();
    String hash = in.readUTF();
    String source = in.readUTF();
    List<String> features = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      features.add(bytes(in).text());
    }
    return new NodeMessage.Features(algorithm, hash, features, source);
  }

  private static NodeMessage.Presence presence(String name) throws IOException {
    for (NodeMessage.Presence each : NodeMessage.Presence.values()) {
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
