module example.com/shop

go 1.26.0

replace github.com/armature-dev/armature => ../armature
