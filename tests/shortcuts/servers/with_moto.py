"""Serves a bucket by moto. Arguments: folder, number of files. Prints its address."""

from __future__ import annotations

import sys
import threading

BUCKET = "data"


def main(number: int) -> None:
    import boto3  # noqa: PLC0415
    from moto.server import ThreadedMotoServer  # noqa: PLC0415

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    url = "http://{}:{}".format(*server.get_host_and_port())
    keys = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **keys)
    client.create_bucket(Bucket=BUCKET, ACL="public-read")
    for n in range(number):
        about = {"Bucket": BUCKET, "Key": f"files/{n}.csv", "ContentType": "text/csv"}
        client.put_object(**about, ACL="public-read", Body=b"a,b\n1,%d\n" % n)
    print(f"{url}/{BUCKET}/", flush=True)  # noqa: T201
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[2]))
