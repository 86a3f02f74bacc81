package im.zonda.bench.target;

import im.zonda.bench.result.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The frames that the nodes of a cluster have sent to each other, and the stanzas of their streams
/// meanwhile: counters of the nodes' metrics, summed up.
///
/// @param frames their number
/// @param bytes of the frames
/// @param stanzas of all streams, in and out
record NodeTraffic(double frames, double bytes, double stanzas) {
  private static final String FRAMES = "zonda_cluster_frames_total{direction=\"out\"}";

  /// Reads the metrics of the nodes.
  ///
  /// @throws IOException if a node does not answer, or answers without these metrics
  static NodeTraffic read(List<ZondaProcess> nodes) throws IOException {
    NodeTraffic all = new NodeTraffic(0, 0, 0);
    for (ZondaProcess node : nodes) {
      all = all.plus(parse(node.metrics()), 1);
    }
    return all;
  }

  /// Whether a node counts its frames; earlier versions do not.
  ///
  /// @param text its metrics, as Prometheus reads them
  static boolean isCounted(String text) {
    return text.contains(FRAMES);
  }

  /// @param text the metrics of a node, as Prometheus reads them
  static NodeTraffic parse(String text) throws IOException {
    return new NodeTraffic(
        value(text, FRAMES),
        value(text, "zonda_cluster_bytes_total{direction=\"out\"}"),
        value(text, "zonda_network_stanzas_total{direction=\"in\"}")
            + value(text, "zonda_network_stanzas_total{direction=\"out\"}"));
  }

  private static double value(String text, String series) throws IOException {
    return text.lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1).strip()))
        .findFirst()
        .orElseThrow(() -> new IOException("the server has no metric " + series));
  }

  /// What came after an earlier reading.
  NodeTraffic since(NodeTraffic before) {
    return plus(before, -1);
  }

  private NodeTraffic plus(NodeTraffic other, int times) {
    return new NodeTraffic(
        frames + times * other.frames,
        bytes + times * other.bytes,
        stanzas + times * other.stanzas);
  }

  /// The figures of a result; those of stanzas are left out if there were none, and so are those of
  /// frames.
  List<Result.Figure> figures() {
    List<Result.Figure> figures = new ArrayList<>();
    if (stanzas > 0) {
      figures.add(
          new Result.Figure(
              "node-bytes-per-stanza",
              "bytes between nodes for each stanza of a client, whole load",
              bytes / stanzas,
              "B",
              null));
      figures.add(
          new Result.Figure(
              "node-frames-per-stanza",
              "frames between nodes for each stanza of a client, whole load",
              frames / stanzas,
              "",
              null));
    }
    if (frames > 0) {
      figures.add(
          new Result.Figure(
              "node-bytes-per-frame", "bytes of a frame between nodes", bytes / frames, "B", null));
    }
    return figures;
  }
}
