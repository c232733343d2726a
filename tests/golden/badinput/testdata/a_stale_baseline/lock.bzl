LOCK = {"resources": {"Cart": {"hub": "v1beta20210101storage"}}}
