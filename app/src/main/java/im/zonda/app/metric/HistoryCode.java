package im.zonda.app.metric;

import im.zonda.app.metric.MeterHistory.Measure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// Values of the history as they are stored: a version, then, compressed, for each series its name
/// and its values.
final class HistoryCode {
  private static final int VERSION = 1;
  private static final int MOST_LABELS = 8;

  private HistoryCode() {}

  /// The bytes of the values of some series.
  ///
  /// @throws IOException if a name is too long
  static byte[] encode(Map<MeterHistory.Key, float[]> series) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(VERSION);
    try (DataOutputStream output = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      output.writeShort(series.size());
      for (Map.Entry<MeterHistory.Key, float[]> each : series.entrySet()) {
        MeterHistory.Key key = each.getKey();
        output.writeUTF(key.meter());
        output.writeByte(key.labels().size());
        for (String label : key.labels()) {
          output.writeUTF(label);
        }
        output.writeUTF(key.measure().name());
        output.writeShort(each.getValue().length);
        for (float value : each.getValue()) {
          output.writeFloat(value);
        }
      }
    }
    return bytes.toByteArray();
  }

  /// The values of some series. Those of a later version are empty.
  ///
  /// @param most the most values of a series
  /// @throws IOException if it is damaged
  static Map<MeterHistory.Key, float[]> decode(byte[] data, int most) throws IOException {
    Map<MeterHistory.Key, float[]> series = new LinkedHashMap<>();
    ByteArrayInputStream bytes = new ByteArrayInputStream(data);
    if (bytes.read() != VERSION) {
      return series;
    }
    try (DataInputStream input = new DataInputStream(new InflaterInputStream(bytes))) {
      int count = bounded(input.readUnsignedShort(), MeterHistory.MOST_SERIES);
      for (int i = 0; i < count; i++) {
        String meter = input.readUTF();
        List<String> labels = new ArrayList<>();
        int size = bounded(input.readUnsignedByte(), MOST_LABELS);
        for (int j = 0; j < size; j++) {
          labels.add(input.readUTF());
        }
        Measure measure = measure(input.readUTF());
        float[] values = new float[bounded(input.readUnsignedShort(), most)];
        for (int j = 0; j < values.length; j++) {
          values[j] = input.readFloat();
        }
        series.put(new MeterHistory.Key(meter, labels, measure), values);
      }
    }
    return series;
  }

  private static int bounded(int number, int most) throws IOException {
    if (number > most) {
      throw new IOException("the stored history has " + number + " where at most " + most + " are");
    }
    return number;
  }

  private static Measure measure(String name) throws IOException {
    try {
      return Measure.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new IOException("the stored history measures " + name, e);
    }
  }
}
