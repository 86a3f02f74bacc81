package im.zonda.file.object;

import im.zonda.file.FileContents;
import im.zonda.file.FileContentsContract;

/// An object store fits the contract.
class ObjectContentsTest extends FileContentsContract {
  private final Bucket bucket = new Bucket(() -> now);
  private int opened;

  @Override
  protected FileContents contents() {
    opened++;
    return new ObjectContents(bucket, "%06d".formatted(opened));
  }

  @Override
  protected int stored() {
    return bucket.size();
  }
}
